// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpufeed {

enum class ProbedCodec { jpeg, png, npz };

std::string name_of_codec(ProbedCodec codec);

/// One sample as a file holds it: a made picture that compresses about as a photo does, in RGB; of
/// npz, as many random bytes in a zip that stores them as they are.
/// \param detail  of a picture: 0 smooth to 1 mostly noise
std::string make_sample(ProbedCodec codec, int width, int height, double detail,
                        std::uint64_t seed);

/// What a picture's first bytes say that it is; nothing of other files.
std::optional<ProbedCodec> codec_of_picture(std::string_view file);

/// Decodes a sample: libjpeg-turbo, libpng, or what NumPy does with a stored npz: the checksum of
/// all bytes and a copy. \return whether it could be decoded; no picture of more than 2^28 pixels
/// is
bool decode_sample(ProbedCodec codec, std::string_view sample, std::vector<std::uint8_t>& out);

/// The library that decodes it: "libjpeg-turbo 2.1.5".
std::string library_of_codec(ProbedCodec codec);

/// "libjpeg-turbo 2.1.5, libpng 1.6.39, zlib 1.2.13".
std::string codec_versions();

}  // namespace gpufeed
