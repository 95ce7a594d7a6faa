package dev.kubeinformer.internal.codec.json;

import java.io.Serial;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.module.SimpleModule;

/**
 * The values of the official models that are neither plain nor models themselves.
 */
final class ModelModule extends SimpleModule {

	@Serial
	private static final long serialVersionUID = 1L;

	/** Deeper values are not read: each level is a call on the stack. */
	private static final int MOST_NESTING = 1_000;

	ModelModule() {
		super("kubernetes-models");
		addDeserializer(IntOrString.class, new IntOrStringDeserializer());
		addDeserializer(Quantity.class, new QuantityDeserializer());
		addDeserializer(OffsetDateTime.class, new TimeDeserializer());
		addDeserializer(Object.class, new UntypedDeserializer());
	}

	private static final class IntOrStringDeserializer extends ValueDeserializer<IntOrString> {

		@Override
		public @Nullable IntOrString deserialize(JsonParser parser, DeserializationContext context) {
			if (parser.hasToken(JsonToken.VALUE_NUMBER_INT)) {
				return new IntOrString(parser.getIntValue());
			}
			if (parser.hasToken(JsonToken.VALUE_STRING)) {
				return new IntOrString(parser.getString());
			}
			return (IntOrString) context.handleUnexpectedToken(IntOrString.class, parser);
		}

	}

	private static final class QuantityDeserializer extends ValueDeserializer<Quantity> {

		@Override
		public @Nullable Quantity deserialize(JsonParser parser, DeserializationContext context) {
			boolean number = parser.hasToken(JsonToken.VALUE_NUMBER_INT)
					|| parser.hasToken(JsonToken.VALUE_NUMBER_FLOAT);
			if (!number && !parser.hasToken(JsonToken.VALUE_STRING)) {
				return (Quantity) context.handleUnexpectedToken(Quantity.class, parser);
			}
			String text = parser.getString();
			try {
				return number ? JsonTexts.number(text) : Quantity.fromString(text);
			}
			catch (RuntimeException ex) {
				throw context.weirdStringException("", Quantity.class, "not a quantity");
			}
		}

	}

	private static final class TimeDeserializer extends StdDeserializer<OffsetDateTime> {

		TimeDeserializer() {
			super(OffsetDateTime.class);
		}

		@Override
		public @Nullable OffsetDateTime deserialize(JsonParser parser, DeserializationContext context) {
			if (!parser.hasToken(JsonToken.VALUE_STRING)) {
				return (OffsetDateTime) context.handleUnexpectedToken(OffsetDateTime.class, parser);
			}
			String text = parser.getString();
			try {
				return OffsetDateTime.parse(text.endsWith("+0000") ? text.replace("+0000", "Z") : text);
			}
			catch (DateTimeException ex) {
				throw context.weirdStringException("", OffsetDateTime.class, "not a time");
			}
		}

	}

	/**
	 * Reads a field of type {@code Object} as Gson does, where every number is a double.
	 */
	private static final class UntypedDeserializer extends ValueDeserializer<Object> {

		@Override
		public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
			if (parser.streamReadContext().getNestingDepth() > MOST_NESTING) {
				return context.reportInputMismatch(Object.class, "nested too deeply");
			}
			return switch (parser.currentToken()) {
				case START_OBJECT -> object(parser, context);
				case START_ARRAY -> array(parser, context);
				case VALUE_STRING -> parser.getString();
				case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
				case VALUE_TRUE -> Boolean.TRUE;
				case VALUE_FALSE -> Boolean.FALSE;
				case VALUE_NULL -> null;
				default -> context.handleUnexpectedToken(Object.class, parser);
			};
		}

		private Object object(JsonParser parser, DeserializationContext context) {
			Map<String, @Nullable Object> map = new LinkedHashMap<>();
			for (String name = parser.nextName(); name != null; name = parser.nextName()) {
				parser.nextToken();
				map.put(name, deserialize(parser, context));
			}
			return map;
		}

		private Object array(JsonParser parser, DeserializationContext context) {
			List<@Nullable Object> list = new ArrayList<>();
			while (parser.nextToken() != JsonToken.END_ARRAY) {
				list.add(deserialize(parser, context));
			}
			return list;
		}

	}

}
