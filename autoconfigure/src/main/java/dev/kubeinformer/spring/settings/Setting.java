package dev.kubeinformer.spring.settings;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * Setting of an informer or handler, such as {@code labelSelector}. The attribute of
 * annotations and the property in the configuration have the name of the setting. In
 * {@code retry.delay}, {@code retry} is the name of a group of properties.
 *
 * @param <V> the type of its values
 */
public final class Setting<V> {

	/** Namespaces as written, which may include {@code *} and {@code @current}. */
	public static final Setting<List<String>> NAMESPACES = new Setting<>("namespaces", List.class,
			(values, where, name, written) -> values.namespaces(where, (String[]) written));

	/** Label selector. */
	public static final Setting<String> LABEL_SELECTOR = new Setting<>("labelSelector", String.class,
			(values, where, name, written) -> values.labelSelector(where, (String) written));

	/** Field selector. */
	public static final Setting<String> FIELD_SELECTOR = new Setting<>("fieldSelector", String.class,
			(values, where, name, written) -> values.fieldSelector(where, (String) written));

	/**
	 * Whether readiness waits for a handler, or for an informer that only listers use.
	 */
	public static final Setting<Boolean> READINESS = flag("readiness");

	/** Whether {@code metadata.managedFields} are kept in memory. */
	public static final Setting<Boolean> KEEP_MANAGED_FIELDS = flag("keepManagedFields");

	/** Whether equal parts of objects may be one instance in memory. */
	public static final Setting<Boolean> SHARE_EQUAL_PARTS = flag("shareEqualParts");

	/**
	 * Classes of exceptions that are not retried. The attribute of annotations is
	 * {@code retryExcludes}.
	 */
	public static final Setting<List<Class<? extends Throwable>>> RETRY_EXCLUDES = new Setting<>("retry.excludes",
			List.class, (values, where, name, written) -> exceptions((Class<?>[]) written));

	/** Whether only the objects of this replica's shard are cached. */
	public static final Setting<Boolean> SHARDED = flag("sharded");

	/** Shard key of a resource. */
	public static final Setting<ResourceShardKey> SHARD_KEY = property("shardKey", ResourceShardKey.class);

	/** Maximum number of objects in one response to a list of a resource. */
	public static final Setting<Integer> PAGE_SIZE = property("pageSize", Integer.class);

	/** Settings that select the objects of an informer. */
	public static final List<Setting<?>> SELECTION = List.of(NAMESPACES, LABEL_SELECTOR, FIELD_SELECTOR, SHARDED);

	private final String name;

	private final Class<?> type;

	private final Reader<V> reader;

	private Setting(String name, Class<?> type, Reader<V> reader) {
		this.name = name;
		this.type = type;
		this.reader = reader;
	}

	/**
	 * Creates a setting whose value is a text.
	 * @param name the name of the attribute and of the property
	 * @return the setting
	 */
	public static Setting<String> text(String name) {
		return new Setting<>(name, String.class,
				(values, where, attribute, written) -> values.text(where, attribute, (String) written));
	}

	/**
	 * Creates a setting whose value is a list of texts.
	 * @param name the name of the attribute and of the property
	 * @return the setting
	 */
	public static Setting<List<String>> texts(String name) {
		return new Setting<>(name, List.class,
				(values, where, attribute, written) -> values.list(where, attribute, (String[]) written));
	}

	/**
	 * Creates a setting whose value is a positive integer.
	 * @param name the name of the attribute and of the property
	 * @return the setting
	 */
	public static Setting<Integer> number(String name) {
		return new Setting<>(name, Integer.class,
				(values, where, attribute, written) -> values.number(where, attribute, (String) written));
	}

	/**
	 * Creates a setting whose value is a duration.
	 * @param name the name of the attribute and of the property
	 * @return the setting
	 */
	public static Setting<Duration> duration(String name) {
		return new Setting<>(name, Duration.class,
				(values, where, attribute, written) -> values.duration(where, attribute, (String) written));
	}

	/**
	 * Creates a setting whose value is a boolean.
	 * @param name the name of the attribute and of the property
	 * @return the setting
	 */
	public static Setting<Boolean> flag(String name) {
		return new Setting<>(name, Boolean.class,
				(values, where, attribute, written) -> values.flag(where, attribute, (String) written));
	}

	/**
	 * Creates a setting that only properties have.
	 * @param <V> the type of its values
	 * @param name the name of the property
	 * @param type the type of its values
	 * @return the setting
	 */
	public static <V> Setting<V> property(String name, Class<V> type) {
		return new Setting<>(name, type, (values, where, attribute, written) -> {
			throw new IllegalStateException("'%s' is not an attribute".formatted(name));
		});
	}

	/**
	 * Returns the name of the attribute and of the property.
	 * @return the name, in camel case
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns the type of the values.
	 * @return the class, without type arguments
	 */
	public Class<?> type() {
		return this.type;
	}

	@SuppressWarnings("unchecked") // The attributes are declared with this type.
	private static @Nullable List<Class<? extends Throwable>> exceptions(Class<?>[] written) {
		return (written.length > 0) ? List.of((Class<? extends Throwable>[]) written) : null;
	}

	/**
	 * Returns the name of the attribute of annotations.
	 * @return the name of the setting, with camel case instead of dots
	 */
	public String attribute() {
		int dot = this.name.indexOf('.');
		return (dot < 0) ? this.name
				: this.name.substring(0, dot) + StringUtils.capitalize(this.name.substring(dot + 1));
	}

	@Nullable V read(AnnotationValues values, String where, Object written) {
		return this.reader.read(values, where, this.name, written);
	}

	@SuppressWarnings("unchecked")
	@Nullable V cast(@Nullable Object value) {
		return (V) this.type.cast(value);
	}

	@Override
	public String toString() {
		return "setting '%s'".formatted(this.name);
	}

	/**
	 * Reads the attribute of an annotation.
	 *
	 * @param <V> the type of the values
	 */
	@FunctionalInterface
	private interface Reader<V> {

		@Nullable V read(AnnotationValues values, String where, String attribute, Object written);

	}

}
