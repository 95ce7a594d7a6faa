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
 * All settings of handlers, and the effect of each on the options of a handler. A new
 * setting needs an attribute of {@link InformerHandler}, a property of the same name
 * below {@code kubernetes.informers.handlers.<id>}, and one line here.
 */
final class HandlerSettings {

	/** Whether a handler starts with the application. */
	static final Setting<Boolean> AUTO_STARTUP = Setting.flag("autoStartup");

	/**
	 * Whether delivery waits until the caches that the handler reads are filled.
	 */
	static final Setting<Boolean> WAIT_FOR_CACHES = Setting.flag("waitForCaches");

	/** Whether the handler receives events only while this replica leads. */
	static final Setting<Boolean> LEADER_ONLY = Setting.flag("leaderOnly");

	/** Whether methods of the handler may be asynchronous. */
	static final Setting<Boolean> ALLOW_ASYNC = Setting.flag("allowAsync");

	/** Name of the bean that receives exhausted events. */
	static final Setting<String> ERROR_HANDLER = Setting.text("errorHandler");

	/** Settings for the delivery of events, with their effects. */
	private static final List<Delivery<?>> DELIVERY = List.of(
			new Delivery<>(Setting.duration("resync"), HandlerOptions::withResync),
			new Delivery<>(Setting.number("concurrency"), HandlerOptions::withConcurrency),
			new Delivery<>(Setting.number("queueCapacity"), HandlerOptions::withQueueCapacity));

	/** All settings that an annotation can set. */
	static final List<Setting<?>> ALL = Stream
		.of(Setting.SELECTION, DELIVERY.stream().map(Delivery::setting).toList(), List.of(AUTO_STARTUP, WAIT_FOR_CACHES,
				LEADER_ONLY, ALLOW_ASYNC, Setting.READINESS, ERROR_HANDLER, Setting.RETRY_EXCLUDES))
		.<Setting<?>>flatMap(List::stream)
		.toList();

	private HandlerSettings() {
	}

	/**
	 * Applies the settings for the delivery of events.
	 * @param settings the settings
	 * @param options the options so far
	 * @return the options with the settings applied
	 * @throws IllegalArgumentException if a value is out of range
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
	 * Setting for the delivery of events.
	 *
	 * @param <V> the type of its values
	 * @param setting the setting
	 * @param effect the function that sets the option
	 */
	private record Delivery<V>(Setting<V> setting, BiFunction<HandlerOptions, V, HandlerOptions> effect) {

		HandlerOptions apply(InformerSettings settings, HandlerOptions options) {
			V value = settings.get(this.setting);
			return (value != null) ? this.effect.apply(options, value) : options;
		}

	}

}
