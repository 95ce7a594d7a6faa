package dev.kubeinformer.sample.page;

import java.time.Duration;

/**
 * Experiment that a button of the page starts, to show its effect. The page knows it by
 * the name of its bean.
 */
@FunctionalInterface
public interface Experiment {

	/**
	 * Starts the experiment and returns at once.
	 * @return the duration of the experiment
	 */
	Duration start();

}
