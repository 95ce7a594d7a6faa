package dev.kubeinformer.internal.codec.json;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.Deserializers;
import tools.jackson.databind.jsontype.TypeDeserializer;
import tools.jackson.databind.module.SimpleDeserializers;
import tools.jackson.databind.type.CollectionType;
import tools.jackson.databind.type.MapType;

import dev.kubeinformer.internal.codec.model.CompactList;
import dev.kubeinformer.internal.codec.model.CompactMap;

/**
 * Makes the collections inside of decoded objects unmodifiable: the objects are shared,
 * and a change of one shall fail at its own line. Fields that are declared as a class of
 * collections are left alone.
 */
final class UnmodifiableCollections extends SimpleDeserializers implements Deserializers {

	private static final long serialVersionUID = 1L;

	@Override
	public @Nullable ValueDeserializer<?> findCollectionDeserializer(CollectionType type, DeserializationConfig config,
			BeanDescription.Supplier description, @Nullable TypeDeserializer elementTypeDeserializer,
			@Nullable ValueDeserializer<?> elementDeserializer) {
		Class<?> raw = type.getRawClass();
		JavaType element = type.getContentType();
		if (raw == List.class || raw == Collection.class || raw == Iterable.class) {
			return new Freezing(config.getTypeFactory().constructCollectionType(ArrayList.class, element),
					(value) -> CompactList.copyOf((List<?>) value));
		}
		if (raw == Set.class) {
			return new Freezing(config.getTypeFactory().constructCollectionType(LinkedHashSet.class, element),
					(value) -> Collections.unmodifiableSet((Set<?>) value));
		}
		return null;
	}

	@Override
	public @Nullable ValueDeserializer<?> findMapDeserializer(MapType type, DeserializationConfig config,
			BeanDescription.Supplier description, @Nullable KeyDeserializer keyDeserializer,
			@Nullable TypeDeserializer elementTypeDeserializer, @Nullable ValueDeserializer<?> elementDeserializer) {
		return (type.getRawClass() == Map.class) ? new Freezing(
				config.getTypeFactory().constructMapType(LinkedHashMap.class, type.getKeyType(), type.getContentType()),
				(value) -> CompactMap.copyOf((Map<?, ?>) value)) : null;
	}

	private static final class Freezing extends ValueDeserializer<Object> {

		private final JavaType modifiable;

		private final UnaryOperator<Object> freeze;

		private final @Nullable ValueDeserializer<Object> delegate;

		Freezing(JavaType modifiable, UnaryOperator<Object> freeze) {
			this(modifiable, freeze, null);
		}

		private Freezing(JavaType modifiable, UnaryOperator<Object> freeze,
				@Nullable ValueDeserializer<Object> delegate) {
			this.modifiable = modifiable;
			this.freeze = freeze;
			this.delegate = delegate;
		}

		@Override
		public ValueDeserializer<?> createContextual(DeserializationContext context,
				tools.jackson.databind.@Nullable BeanProperty property) {
			return new Freezing(this.modifiable, this.freeze,
					context.findContextualValueDeserializer(this.modifiable, property));
		}

		@Override
		public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
			if (this.delegate == null) {
				return context.reportBadDefinition(this.modifiable, "A collection was not contextualized");
			}
			Object value = this.delegate.deserialize(parser, context);
			return (value != null) ? this.freeze.apply(value) : null;
		}

	}

}
