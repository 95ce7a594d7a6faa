package dev.kubeinformer.codec;

import java.io.Serial;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.type.CollectionType;
import tools.jackson.databind.type.MapType;

/**
 * Makes the collections inside of decoded objects unmodifiable: the objects are shared,
 * and a change of one shall fail at its own line.
 */
final class UnmodifiableCollections extends ValueDeserializerModifier {

	@Serial
	private static final long serialVersionUID = 1L;

	@Override
	public ValueDeserializer<?> modifyCollectionDeserializer(DeserializationConfig config, CollectionType type,
			BeanDescription.Supplier description, ValueDeserializer<?> deserializer) {
		Class<?> raw = type.getRawClass();
		if (raw.isAssignableFrom(List.class)) {
			return new Freezing(deserializer, (value) -> ModelModule.unmodifiable((List<?>) value));
		}
		if (raw == Set.class) {
			return new Freezing(deserializer, (value) -> Collections.unmodifiableSet((Set<?>) value));
		}
		return deserializer;
	}

	@Override
	public ValueDeserializer<?> modifyMapDeserializer(DeserializationConfig config, MapType type,
			BeanDescription.Supplier description, ValueDeserializer<?> deserializer) {
		return (type.getRawClass() == Map.class)
				? new Freezing(deserializer, (value) -> Collections.unmodifiableMap((Map<?, ?>) value)) : deserializer;
	}

	private static final class Freezing extends DelegatingDeserializer {

		private final Function<Object, Object> freeze;

		Freezing(ValueDeserializer<?> delegate, Function<Object, Object> freeze) {
			super(delegate);
			this.freeze = freeze;
		}

		@Override
		protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> delegate) {
			return new Freezing(delegate, this.freeze);
		}

		@Override
		public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
			Object value = this._delegatee.deserialize(parser, context);
			return (value != null) ? this.freeze.apply(value) : null;
		}

		@Override
		public @Nullable Object getNullValue(DeserializationContext context) {
			return this._delegatee.getNullValue(context);
		}

	}

}
