package dev.kubeinformer.benchmark.controller;

import java.util.Map;

/**
 * Result of one run.
 *
 * @param client the program
 * @param phase the measured phase
 * @param round the number of the round, from 1
 * @param figures the figures; empty if the run failed
 */
record ControllerSample(String client, String phase, int round, Map<Figure, Double> figures) {
}
