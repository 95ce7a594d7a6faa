package dev.kubeinformer.internal.codec.json;

import java.util.Collection;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads models by a mapper of Jackson that sees classes as Gson does: what the tables are
 * compared with. It decodes plainly: shared values and unmodifiable collections are equal
 * to any others.
 */
final class MapperModels {

	private final JsonMapper mapper;

	MapperModels(JsonMappers settings) {
		this.mapper = JsonMapper.builder()
			.annotationIntrospector(new GsonFieldIntrospector(settings.keepsManagedFields()))
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
			.addModule(new ModelModule())
			.build();
	}

	Object read(JsonParser parser, Class<?> type) {
		return this.mapper.readerFor(type).readValue(parser);
	}

	/** Returns what {@link DecodeProblem} says of a mismatch that the tables find. */
	static String describe(Throwable cause) {
		if (!(cause instanceof JacksonException jackson)) {
			return "it is nested too deeply";
		}
		StringBuilder path = new StringBuilder();
		for (JacksonException.Reference reference : jackson.getPath()) {
			if (reference.getPropertyName() != null) {
				path.append((path.length() > 0) ? "." : "").append(reference.getPropertyName());
			}
			else if (reference.getIndex() >= 0) {
				path.append('[').append(reference.getIndex()).append(']');
			}
		}
		if (path.isEmpty()) {
			return "a field of it cannot be read";
		}
		Class<?> target = (cause instanceof MismatchedInputException mismatch) ? mismatch.getTargetType() : null;
		return "the field '%s' cannot be read%s".formatted(path, (target != null) ? " as " + name(target) : "");
	}

	private static @Nullable String name(Class<?> type) {
		if (Collection.class.isAssignableFrom(type)) {
			return "a list";
		}
		return Map.class.isAssignableFrom(type) ? "a map" : type.getSimpleName();
	}

}
