package dev.kubeinformer;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

import dev.kubeinformer.codec.JsonMappers;
import dev.kubeinformer.reflector.Reflector;
import dev.kubeinformer.reflector.SyncSlots;
import dev.kubeinformer.transport.ApiConnections;

/**
 * What running informers share, from a start to the next stop.
 *
 * @param connections the client's connections
 * @param mappers the JSON mappers
 * @param reflectorOptions how reflectors behave
 * @param syncSlots bounds how many reflectors read a list at once
 * @param timer runs resyncs and retries
 */
record InformerRuntime(ApiConnections connections, JsonMappers mappers, Reflector.Options reflectorOptions,
		SyncSlots syncSlots, ScheduledExecutorService timer) {

	/** How long the thread of a stopped reflector may take to end. */
	static final Duration REFLECTOR_GRACE = Duration.ofMillis(800);

	/**
	 * The clocks of an application's informers.
	 *
	 * @param wall the time of day, for people
	 * @param nanoTime the time that only grows, for periods
	 */
	record Clocks(Clock wall, LongSupplier nanoTime) {

	}

}
