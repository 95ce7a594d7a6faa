package dev.kubeinformer.spring.handler.container;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.Setting;

/**
 * The settings of handlers and what they change. A new one is an attribute of
 * {@link InformerHandler}, the property of the same name below
 * {@code kubernetes.informers.handlers.<id>}, and one line here.
 */
final class HandlerSettings {

	/** Whether a handler starts with the application. */
	static final Setting<Boolean> AUTO_STARTUP = Setting.flag("autoStartup");

	/**
	 * Whether events are delivered to a handler only when the caches that it reads are
	 * filled.
	 */
	static final Setting<Boolean> WAIT_FOR_CACHES = Setting.flag("waitForCaches");

	/** Whether events are delivered to a handler only while this replica leads. */
	static final Setting<Boolean> LEADER_ONLY = Setting.flag("leaderOnly");

	/** Name of the bean that gets the events that are given up. */
	static final Setting<String> ERROR_HANDLER = Setting.text("errorHandler");

	/** Settings of the delivery of events, with what they change. */
	private static final List<Delivery<?>> DELIVERY = List.of(
			new Delivery<>(Setting.duration("resync"), HandlerOptions::withResync),
			new Delivery<>(Setting.number("concurrency"), HandlerOptions::withConcurrency),
			new Delivery<>(Setting.number("queueCapacity"), HandlerOptions::withQueueCapacity));

	/** All that an annotation may say. */
	static final List<Setting<?>> ALL = Stream
		.of(Setting.SELECTION, DELIVERY.stream().map(Delivery::setting).toList(), List.of(AUTO_STARTUP, WAIT_FOR_CACHES,
				LEADER_ONLY, Setting.READINESS, ERROR_HANDLER, Setting.RETRY_EXCLUDES))
		.<Setting<?>>flatMap(List::stream)
		.toList();

	private HandlerSettings() {
	}

	/**
	 * Applies what settings say about the delivery of events.
	 * @param settings the settings
	 * @param options the options so far
	 * @return the options with what the settings say
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	static HandlerOptions apply(InformerSettings settings, HandlerOptions options) {
		RetryBackoff retry = RetryPolicyBackoff.of(settings);
		List<Class<? extends Throwable>> excluded = settings.get(Setting.RETRY_EXCLUDES);
		HandlerOptions applied = options.withRetry((excluded != null) ? retry.excluding(excluded) : retry);
		for (Delivery<?> delivery : DELIVERY) {
			applied = delivery.apply(settings, applied);
		}
		return applied;
	}

	/**
	 * A setting of the delivery of events.
	 *
	 * @param <V> the type of its values
	 * @param setting the setting
	 * @param effect sets the option
	 */
	private record Delivery<V>(Setting<V> setting, BiFunction<HandlerOptions, V, HandlerOptions> effect) {

		HandlerOptions apply(InformerSettings settings, HandlerOptions options) {
			V value = settings.get(this.setting);
			return (value != null) ? this.effect.apply(options, value) : options;
		}

	}

}
