#!/bin/bash
GPUS=8 # of a node
ARGS=(
    --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --seq-length 4096
    --micro-batch-size 1 --global-batch-size 512 --tensor-model-parallel-size 4
    --pipeline-model-parallel-size 2 --bf16 --use-distributed-optimizer
    --train-iters 100 --ffn-hidden-size 14336 --vocab-size $VOCABULARY
)
torchrun --nproc_per_node $GPUS pretrain_gpt.py "${ARGS[@]}"
