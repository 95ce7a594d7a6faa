package dev.kubeinformer.internal.codec.json;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.MalformedResponseException;

/**
 * Reads a list while it arrives. Items that cannot be read are skipped. If the parser
 * itself cannot continue, for example at an item that is nested too deeply, another
 * parser continues after that item.
 *
 * @param <T> the model class
 */
final class JsonList<T> implements AutoCloseable {

	/**
	 * Bytes that a new parser reads first, so that it is positioned before the first
	 * item.
	 */
	private static final byte[] BEFORE_ITEMS = "{\"items\":[".getBytes(StandardCharsets.UTF_8);

	/** Bytes that a new parser reads first, so that it is positioned after an item. */
	private static final byte[] BEHIND_AN_ITEM = "{\"items\":[null".getBytes(StandardCharsets.UTF_8);

	private final JsonMappers mappers;

	private final Form<T> form;

	private RecordingInputStream recording;

	private JsonParser parser;

	JsonList(JsonMappers mappers, InputStream body, Form<T> form) {
		this.mappers = mappers;
		this.form = form;
		this.recording = new RecordingInputStream(body, mappers.largestObject());
		this.parser = mappers.parser(this.recording);
	}

	ListHeader read() throws IOException {
		if (this.parser.nextToken() != JsonToken.START_OBJECT) {
			throw this.form.notAList("it is not a JSON object");
		}
		ListHeader header = new ListHeader("", "");
		boolean itemsSeen = false;
		for (String field = this.parser.nextName(); field != null; field = this.parser.nextName()) {
			JsonToken value = this.parser.nextToken();
			switch (field) {
				case "kind" -> {
					String kind = this.parser.getValueAsString("");
					if (!this.form.isKind(kind)) {
						throw this.form.notAList("its kind is '%s'".formatted(kind));
					}
				}
				case "metadata" -> header = readMetadata(this.parser);
				case "items" -> {
					KnownObjects known = itemsSeen ? null : this.form.known();
					itemsSeen = true;
					if (value == JsonToken.START_ARRAY) {
						if (known != null) {
							readUnknownItems(known);
						}
						readItems();
					}
					else if (value != JsonToken.VALUE_NULL) {
						throw this.form.notAList("its items are not an array");
					}
				}
				default -> this.parser.skipChildren();
			}
		}
		if (!itemsSeen || !this.parser.hasToken(JsonToken.END_OBJECT)) {
			throw this.form.notAList(itemsSeen ? "it is cut off" : "it has no items");
		}
		return header;
	}

	/**
	 * Reads the metadata of a list.
	 * @param parser the parser, positioned at the metadata
	 * @return the metadata
	 */
	static ListHeader readMetadata(JsonParser parser) {
		String resourceVersion = "";
		String continueToken = "";
		String shardSelector = "";
		if (parser.hasToken(JsonToken.START_OBJECT)) {
			for (String field = parser.nextName(); field != null; field = parser.nextName()) {
				parser.nextToken();
				switch (field) {
					case "resourceVersion" -> resourceVersion = parser.getValueAsString("");
					case "continue" -> continueToken = parser.getValueAsString("");
					case "shardInfo" -> shardSelector = readSelector(parser);
					default -> parser.skipChildren();
				}
			}
		}
		return new ListHeader(resourceVersion, continueToken, shardSelector);
	}

	private static String readSelector(JsonParser parser) {
		String selector = "";
		if (parser.hasToken(JsonToken.START_OBJECT)) {
			for (String field = parser.nextName(); field != null; field = parser.nextName()) {
				parser.nextToken();
				if (field.equals("selector") && parser.hasToken(JsonToken.VALUE_STRING)) {
					selector = parser.getString();
				}
				else {
					parser.skipChildren();
				}
			}
		}
		else {
			parser.skipChildren();
		}
		return selector;
	}

	/**
	 * Reads the items. Items that are cached in the same version, or are dropped, are not
	 * decoded. Stops at the end of the items, or at the first item that is not an object.
	 * @param known the cached objects
	 * @throws IOException if the stream could not be read
	 */
	private void readUnknownItems(KnownObjects known) throws IOException {
		ItemScan items = this.recording.items(this.parser.currentLocation().getByteOffset(), known.dropped());
		while (items.next()) {
			if (!known.include(items.identity())) {
				this.form.accept(readItem(items));
			}
		}
		boolean any = items.isAnyItem();
		goOn(items.rest(any ? BEHIND_AN_ITEM : BEFORE_ITEMS), any ? JsonToken.VALUE_NULL : JsonToken.START_ARRAY);
	}

	private DecodedObject<T> readItem(ItemScan items) throws IOException {
		try (JsonParser item = this.mappers.objectParser(items.bytes(), items.start(), items.end())) {
			item.nextToken();
			return this.form.read(this.form.reader(item));
		}
		catch (FieldMismatchException | JacksonException | StackOverflowError ex) {
			if (DecodeProblem.isOfTheStream(ex)) {
				throw ex;
			}
			return unreadable(Arrays.copyOfRange(items.bytes(), items.start(), items.end()),
					DecodeProblem.describe(ex));
		}
	}

	private void goOn(RecordingInputStream rest, JsonToken from) {
		this.recording = rest;
		// Do not close the previous parser, because that would close the stream.
		this.parser = this.mappers.parser(rest);
		while (!this.parser.hasToken(from)) {
			this.parser.nextToken();
		}
	}

	private void readItems() throws IOException {
		JsonReader reader = this.form.reader(this.parser);
		while (this.parser.nextToken() != JsonToken.END_ARRAY) {
			long start = this.parser.currentTokenLocation().getByteOffset();
			this.recording.forgetBefore(start);
			boolean nested = this.parser.currentToken().isStructStart();
			TokenStreamContext item = this.parser.streamReadContext();
			DecodedObject<T> read;
			try {
				read = readItem(reader, nested ? item.getParent() : item, start);
			}
			catch (StreamConstraintsException ex) {
				if (!nested) {
					throw ex;
				}
				read = passOver(start, DecodeProblem.describe(ex));
				reader = this.form.reader(this.parser);
			}
			this.form.accept(read);
		}
	}

	private DecodedObject<T> readItem(JsonReader reader, TokenStreamContext array, long start)
			throws MalformedResponseException {
		try {
			return this.form.read(reader);
		}
		catch (FieldMismatchException | JacksonException | StackOverflowError ex) {
			if (DecodeProblem.isOfTheStream(ex) || ex instanceof StreamConstraintsException) {
				throw ex;
			}
			return skip(array, start, DecodeProblem.describe(ex));
		}
	}

	private DecodedObject<T> skip(TokenStreamContext array, long start, String problem)
			throws MalformedResponseException {
		while (this.parser.streamReadContext() != array) {
			if (this.parser.nextToken() == null) {
				throw new StreamReadException(this.parser, "cut off");
			}
		}
		return unreadable(this.recording.bytes(start, this.parser.currentLocation().getByteOffset()), problem);
	}

	private DecodedObject<T> passOver(long start, String problem) throws IOException {
		byte[] item = this.recording.value(start);
		goOn(this.recording.resumed(start + item.length, BEHIND_AN_ITEM), JsonToken.VALUE_NULL);
		return unreadable(item, problem);
	}

	private DecodedObject<T> unreadable(byte[] item, String problem) throws MalformedResponseException {
		return new MetadataScan(this.mappers).read(item).unreadable(problem);
	}

	@Override
	public void close() {
		this.parser.close();
	}

	/**
	 * Handles the items of a list of one resource. It checks the kind of the list, reads
	 * its items, and passes them on.
	 *
	 * @param <T> the model class
	 */
	interface Form<T> {

		boolean isKind(String kind);

		JsonReader reader(JsonParser parser);

		DecodedObject<T> read(JsonReader reader);

		void accept(DecodedObject<T> item);

		@Nullable KnownObjects known();

		MalformedResponseException notAList(String why);

	}

}
