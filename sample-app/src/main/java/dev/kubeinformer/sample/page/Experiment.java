package dev.kubeinformer.sample.page;

import java.time.Duration;

/**
 * Something that a button of the page does, so that one sees what follows. The name of
 * its bean is what the page knows it by.
 */
@FunctionalInterface
public interface Experiment {

	/**
	 * Starts it. It goes on by itself.
	 * @return how long it lasts
	 */
	Duration start();

}
