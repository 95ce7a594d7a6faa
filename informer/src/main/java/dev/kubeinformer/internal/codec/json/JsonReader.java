package dev.kubeinformer.internal.codec.json;

import java.io.IOException;
import java.io.StringReader;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.ToNumberPolicy;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Base64Variants;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.exc.InputCoercionException;

import dev.kubeinformer.internal.codec.model.CompactList;
import dev.kubeinformer.internal.codec.model.CompactMap;
import dev.kubeinformer.internal.codec.pool.KnownValues;

/**
 * Reads the values at the position of a parser and builds collections. Equal values
 * become one instance.
 */
final class JsonReader {

	/** Maximum depth of nested values; each level is a call on the stack. */
	private static final int MOST_NESTING = 1_000;

	/** Maximum number of digits of a number that always fits into a {@code long}. */
	private static final int MOST_DIGITS = 18;

	private final JsonParser parser;

	private final KnownValues known;

	/** Elements of the collections that are being read. */
	private @Nullable Object[] stack = new Object[64];

	private int top;

	/** Context of the parser outside of the object that is being read. */
	private TokenStreamContext around;

	JsonReader(JsonParser parser, KnownValues known) {
		this.parser = parser;
		this.known = known;
		this.around = parser.streamReadContext();
	}

	JsonParser parser() {
		return this.parser;
	}

	/**
	 * Reads an object or null.
	 * @param type the reader of its type
	 * @return the object
	 */
	@Nullable Object readObject(JsonValue type) {
		pop(0);
		this.around = context();
		return this.parser.hasToken(JsonToken.VALUE_NULL) ? null : type.read(this);
	}

	String readString() {
		if (this.parser.hasToken(JsonToken.VALUE_STRING)) {
			return pooled();
		}
		if (!this.parser.currentToken().isScalarValue()) {
			throw mismatch(String.class);
		}
		return this.parser.getString();
	}

	/**
	 * Returns the shared string for the name of a map entry, which the parser has just
	 * read.
	 * @param name the name
	 * @return an equal string
	 */
	String key(String name) {
		return this.known.string(name);
	}

	/**
	 * Reads a number.
	 * @param declared the declared type of the field: {@code int} or {@code Integer}
	 * @return the number
	 */
	Integer readInteger(Class<?> declared) {
		try {
			return this.known.boxed(isNumber() ? this.parser.getIntValue() : Integer.parseInt(text(declared).trim()));
		}
		catch (InputCoercionException | NumberFormatException ex) {
			throw mismatch(declared);
		}
	}

	Long readLong(Class<?> declared) {
		try {
			return this.known.boxed(isNumber() ? this.parser.getLongValue() : Long.parseLong(text(declared).trim()));
		}
		catch (InputCoercionException | NumberFormatException ex) {
			throw mismatch(declared);
		}
	}

	Double readDouble(Class<?> declared) {
		try {
			return isNumber() ? this.parser.getDoubleValue() : Double.parseDouble(text(declared).trim());
		}
		catch (NumberFormatException ex) {
			throw mismatch(declared);
		}
	}

	Boolean readBoolean(Class<?> declared) {
		if (this.parser.hasToken(JsonToken.VALUE_TRUE) || this.parser.hasToken(JsonToken.VALUE_FALSE)) {
			return this.parser.getBooleanValue();
		}
		return switch (text(declared).trim()) {
			case "true" -> Boolean.TRUE;
			case "false" -> Boolean.FALSE;
			default -> throw mismatch(declared);
		};
	}

	OffsetDateTime readTime() {
		String text = text(OffsetDateTime.class);
		try {
			return JsonTexts.time(text, this.known);
		}
		catch (DateTimeException ex) {
			throw mismatch(OffsetDateTime.class);
		}
	}

	Quantity readQuantity() {
		try {
			return isNumber() ? JsonTexts.number(this.parser.getString()) : this.known.quantity(text(Quantity.class));
		}
		catch (FieldMismatchException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// The constructor of Quantity throws various exceptions.
			throw mismatch(Quantity.class);
		}
	}

	IntOrString readIntOrString() {
		if (!this.parser.hasToken(JsonToken.VALUE_NUMBER_INT)) {
			return this.known.intOrString(text(IntOrString.class));
		}
		try {
			return this.known.intOrString(this.parser.getIntValue());
		}
		catch (InputCoercionException ex) {
			throw mismatch(IntOrString.class);
		}
	}

	byte[] readBytes() {
		if (!this.parser.hasToken(JsonToken.VALUE_STRING)) {
			throw mismatch(byte[].class);
		}
		try {
			return Base64Variants.getDefaultVariant().decode(this.parser.getString());
		}
		catch (IllegalArgumentException ex) {
			throw mismatch(byte[].class);
		}
	}

	/**
	 * Reads a value as a Gson tree.
	 * @return the tree
	 */
	JsonElement readTree() {
		return switch (this.parser.currentToken()) {
			case START_OBJECT -> readTreeObject();
			case START_ARRAY -> readTreeArray();
			case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonPrimitive(readNumber());
			case VALUE_TRUE, VALUE_FALSE -> new JsonPrimitive(this.parser.getBooleanValue());
			case VALUE_NULL -> JsonNull.INSTANCE;
			default -> new JsonPrimitive(readString());
		};
	}

	/**
	 * Reads a Kubernetes object as a Gson tree.
	 * @param keepManagedFields {@code true} to keep {@code metadata.managedFields};
	 * {@code false} to leave them out
	 * @return the tree
	 */
	JsonObject readTree(boolean keepManagedFields) {
		begin(JsonToken.START_OBJECT, JsonObject.class);
		JsonObject object = new JsonObject();
		for (String name = this.parser.nextName(); name != null; name = this.parser.nextName()) {
			this.parser.nextToken();
			boolean metadata = name.equals("metadata") && this.parser.hasToken(JsonToken.START_OBJECT);
			object.add(key(name), (metadata && !keepManagedFields) ? readTreeWithout("managedFields") : readTree());
		}
		return object;
	}

	private JsonElement readTreeObject() {
		return readTreeWithout(null);
	}

	private JsonElement readTreeWithout(@Nullable String left) {
		begin(JsonToken.START_OBJECT, JsonObject.class);
		JsonObject object = new JsonObject();
		for (String name = this.parser.nextName(); name != null; name = this.parser.nextName()) {
			this.parser.nextToken();
			if (name.equals(left)) {
				this.parser.skipChildren();
			}
			else {
				object.add(key(name), readTree());
			}
		}
		return object;
	}

	private JsonElement readTreeArray() {
		begin(JsonToken.START_ARRAY, JsonArray.class);
		int mark = mark();
		while (this.parser.nextToken() != JsonToken.END_ARRAY) {
			push(readTree());
		}
		// Allocate exactly the necessary capacity.
		JsonArray array = new JsonArray(this.top - mark);
		for (int i = mark; i < this.top; i++) {
			array.add((JsonElement) this.stack[i]);
		}
		pop(mark);
		return array;
	}

	private Number readNumber() {
		String text = this.parser.getString();
		if (this.parser.hasToken(JsonToken.VALUE_NUMBER_INT) && text.length() <= MOST_DIGITS && !text.equals("-0")) {
			return this.known.boxed(Long.parseLong(text));
		}
		try {
			// The number keeps its text, like numbers that Gson reads.
			return ToNumberPolicy.LAZILY_PARSED_NUMBER
				.readNumber(new com.google.gson.stream.JsonReader(new StringReader(text)));
		}
		catch (IOException ex) {
			throw mismatch(Number.class);
		}
	}

	private String text(Class<?> type) {
		if (!this.parser.hasToken(JsonToken.VALUE_STRING)) {
			throw mismatch(type);
		}
		return pooled();
	}

	private String pooled() {
		// Most strings are known; look them up without creating a string.
		return this.known.string(this.parser.getStringCharacters(), this.parser.getStringOffset(),
				this.parser.getStringLength());
	}

	private boolean isNumber() {
		return this.parser.hasToken(JsonToken.VALUE_NUMBER_INT) || this.parser.hasToken(JsonToken.VALUE_NUMBER_FLOAT);
	}

	/**
	 * Checks the first token of an object or array.
	 * @param start the expected token
	 * @param type the type of the value
	 */
	void begin(JsonToken start, Class<?> type) {
		if (!this.parser.hasToken(start) || this.parser.streamReadContext().getNestingDepth() > MOST_NESTING) {
			throw mismatch(type);
		}
	}

	FieldMismatchException mismatch(Class<?> type) {
		return mismatch(type, "");
	}

	FieldMismatchException mismatch(Class<?> type, String reason) {
		StringBuilder path = new StringBuilder();
		for (TokenStreamContext each = context(); each != this.around; each = each.getParent()) {
			String name = each.currentName();
			path.insert(0, (name != null) ? "." + name : "[" + each.getCurrentIndex() + "]");
		}
		return new FieldMismatchException(path.isEmpty() ? "" : path.substring(1), type, reason);
	}

	private TokenStreamContext context() {
		TokenStreamContext context = this.parser.streamReadContext();
		JsonToken token = this.parser.currentToken();
		return (token != null && token.isStructStart()) ? context.getParent() : context;
	}

	int mark() {
		return this.top;
	}

	void push(@Nullable Object value) {
		if (this.top == this.stack.length) {
			this.stack = Arrays.copyOf(this.stack, 2 * this.stack.length);
		}
		this.stack[this.top++] = value;
	}

	<E> List<@Nullable E> popList(int mark) {
		List<@Nullable E> list = CompactList.of(this.stack, mark, this.top);
		pop(mark);
		return list;
	}

	Map<String, @Nullable Object> popMap(int mark) {
		Map<String, @Nullable Object> map = CompactMap.of(this.stack, mark, this.top);
		pop(mark);
		return map;
	}

	private void pop(int mark) {
		Arrays.fill(this.stack, mark, this.top, null);
		this.top = mark;
	}

}
