package dev.kubeinformer.spring.reconciler;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.Setting;

/**
 * Settings of reconcilers and their effects. A new setting needs an attribute of
 * {@link Reconciler}, a property of the same name below
 * {@code kubernetes.reconcilers.<id>}, and one line here.
 */
final class ReconcilerSettings {

	/** Whether a reconciler starts with the application. */
	static final Setting<Boolean> AUTO_STARTUP = Setting.flag("autoStartup");

	/** Whether a reconciler runs only while this replica leads. */
	static final Setting<Boolean> LEADER_ONLY = Setting.flag("leaderOnly");

	/** Finalizer of a reconciler with a cleanup. */
	static final Setting<String> FINALIZER = Setting.text("finalizer");

	/** RBAC verbs for owned objects. */
	static final Setting<List<String>> OWNED_VERBS = Setting.texts("ownedVerbs");

	private static final Setting<Duration> DELAY = Setting.duration("retry.delay");

	private static final Setting<Double> MULTIPLIER = Setting.property("retry.multiplier", Double.class);

	private static final Setting<Duration> MAX_DELAY = Setting.duration("retry.maxDelay");

	private static final Setting<Double> JITTER = Setting.property("retry.jitter", Double.class);

	/** Settings of the spec, with their effects. */
	private static final List<Part<?>> PARTS = List.of(
			new Part<>(Setting.number("concurrency"), ReconcilerSpec::withConcurrency),
			new Part<>(Setting.duration("resync"), ReconcilerSpec::withResync),
			new Part<>(Setting.duration("timeout"), ReconcilerSpec::withTimeout),
			new Part<>(Setting.duration("minInterval"), ReconcilerSpec::withMinInterval),
			new Part<>(Setting.duration("ownWrites.timeout"), ReconcilerSpec::withOwnWritesTimeout),
			new Part<>(Setting.RETRY_EXCLUDES, ReconcilerSpec::withRetryExcludes),
			new Part<>(Setting.text("fieldManager"), ReconcilerSpec::withFieldManager),
			new Part<>(Setting.texts("formerFieldManagers"), ReconcilerSpec::withFormerFieldManagers),
			new Part<>(Setting.flag("appliedDigest"), ReconcilerSpec::withAppliedDigest));

	/** All settings that an annotation can set. */
	static final List<Setting<?>> ALL = Stream
		.of(Setting.SELECTION, PARTS.stream().map(Part::setting).toList(), List.of(AUTO_STARTUP, LEADER_ONLY))
		.<Setting<?>>flatMap(List::stream)
		.toList();

	private ReconcilerSettings() {
	}

	/**
	 * Applies the settings to a spec.
	 * @param <T> the model class of the primary
	 * @param settings the settings
	 * @param spec the spec so far
	 * @return the spec with the settings applied
	 * @throws IllegalArgumentException if a value is out of range
	 */
	static <T extends KubernetesObject> ReconcilerSpec<T> apply(InformerSettings settings, ReconcilerSpec<T> spec) {
		ReconcilerSpec<T> applied = spec.withRetry(retry(settings));
		for (Part<?> part : PARTS) {
			applied = part.apply(settings, applied);
		}
		return applied;
	}

	private static ReconcilerSpec.Retry retry(InformerSettings settings) {
		ReconcilerSpec.Retry byDefault = ReconcilerSpec.Retry.defaults();
		return new ReconcilerSpec.Retry(settings.get(DELAY, byDefault.delay()),
				settings.get(MULTIPLIER, byDefault.multiplier()), settings.get(MAX_DELAY, byDefault.maxDelay()),
				settings.get(JITTER, byDefault.jitter()));
	}

	/**
	 * Setting of the spec.
	 *
	 * @param <V> the type of the setting's values
	 * @param setting the setting
	 * @param effect the effect of the setting
	 */
	private record Part<V>(Setting<V> setting, Effect<V> effect) {

		<T extends KubernetesObject> ReconcilerSpec<T> apply(InformerSettings settings, ReconcilerSpec<T> spec) {
			V value = settings.get(this.setting);
			return (value != null) ? this.effect.apply(spec, value) : spec;
		}

	}

	/**
	 * Effect of a setting.
	 *
	 * @param <V> the type of the setting's values
	 */
	@FunctionalInterface
	private interface Effect<V> {

		<T extends KubernetesObject> ReconcilerSpec<T> apply(ReconcilerSpec<T> spec, V value);

	}

}
