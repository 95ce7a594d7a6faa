package dev.kubeinformer.benchmark.controller;

import java.util.Map;

/**
 * What one run gave.
 *
 * @param client the program
 * @param phase what was measured
 * @param round the number of the round, from 1
 * @param figures the figures; none if the run failed
 */
record ControllerSample(String client, String phase, int round, Map<Figure, Double> figures) {
}
