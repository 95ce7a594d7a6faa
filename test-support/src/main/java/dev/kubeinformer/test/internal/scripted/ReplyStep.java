package dev.kubeinformer.test.internal.scripted;

import java.time.Duration;
import java.util.function.Function;

import dev.kubeinformer.test.internal.resource.ResourceDefinition;

/**
 * A step of a {@link Script}.
 */
public sealed interface ReplyStep {

	/**
	 * Writes bytes.
	 *
	 * @param bytes the function from the requested resource to the bytes
	 */
	record Write(Function<ResourceDefinition, byte[]> bytes) implements ReplyStep {
	}

	/**
	 * Waits.
	 *
	 * @param duration the time to wait
	 */
	record Delay(Duration duration) implements ReplyStep {
	}

	/**
	 * Ends the response in an orderly way.
	 */
	record End() implements ReplyStep {
	}

	/**
	 * Cuts the connection.
	 */
	record Reset() implements ReplyStep {
	}

}
