package dev.kubeinformer.codec;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The Jackson mappers of an application's informers. Building one is dear, so that all
 * codecs share it.
 */
public final class JsonMappers {

	/** That of Kubernetes' own decoder. */
	private static final int MOST_NESTING = 10_000;

	private final boolean keepManagedFields;

	private final JsonMapper models;

	private final AtomicReference<@Nullable JsonMappers> modifiable = new AtomicReference<>();

	/**
	 * Creates the mappers.
	 * @param keepManagedFields whether {@code metadata.managedFields} are decoded
	 */
	public JsonMappers(boolean keepManagedFields) {
		this(keepManagedFields, new ModelModule());
	}

	private JsonMappers(boolean keepManagedFields, ModelModule module) {
		this.keepManagedFields = keepManagedFields;
		// The API server is trusted, and one large object must not make a list
		// unreadable.
		StreamReadConstraints constraints = StreamReadConstraints.builder()
			.maxStringLength(Integer.MAX_VALUE)
			.maxNameLength(Integer.MAX_VALUE)
			.maxNumberLength(Integer.MAX_VALUE)
			.maxNestingDepth(MOST_NESTING)
			.build();
		this.models = JsonMapper.builder(JsonFactory.builder().streamReadConstraints(constraints).build())
			.annotationIntrospector(new GsonFieldIntrospector(keepManagedFields))
			.changeDefaultVisibility((checker) -> checker.withFieldVisibility(Visibility.ANY)
				.withGetterVisibility(Visibility.NONE)
				.withIsGetterVisibility(Visibility.NONE)
				.withSetterVisibility(Visibility.NONE)
				.withCreatorVisibility(Visibility.NONE)
				.withScalarConstructorVisibility(Visibility.NONE))
			.disable(MapperFeature.USE_GETTERS_AS_SETTERS, MapperFeature.INFER_PROPERTY_MUTATORS)
			.disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
			.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
					DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
			.addModule(module)
			.build();
	}

	/**
	 * Mappers like these, but objects are decoded to be changed: their collections can be
	 * modified.
	 * @return the mappers
	 * @see UnmodifiableModels
	 */
	public JsonMappers modifiable() {
		return Objects.requireNonNull(this.modifiable.updateAndGet((known) -> (known != null) ? known
				: new JsonMappers(this.keepManagedFields, ModelModule.modifiable())));
	}

	JsonMapper forModels() {
		return this.models;
	}

	/**
	 * Reads the body of an answer that is not a success.
	 * @param httpStatus the HTTP status
	 * @param body the body, a {@code Status} object or anything else
	 * @return the status
	 */
	public ApiStatus readStatus(int httpStatus, byte[] body) {
		return ApiStatusReader.read(this.models, body, httpStatus);
	}

}
