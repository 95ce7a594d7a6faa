package dev.kubeinformer.internal.codec.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ObjectIdentity;
import dev.kubeinformer.internal.text.TextBytes;

/**
 * Finds the identity and the end of JSON objects, one after another, without allocating
 * memory. The identity is the namespace, name, UID and version of an object. In the rest
 * of an object, the scan only finds brackets and strings. If an identity contains
 * escapes, values other than strings, or duplicate fields, a parser must read it.
 */
final class JsonIdentityScan {

	/** Result if the object does not end within the available bytes. */
	static final int CUT_OFF = -1;

	/** Result if there is no object. */
	static final int NO_OBJECT = -2;

	/** Result if the identity is complete and the scan stopped there. */
	private static final int IDENTIFIED = -3;

	private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final long ONES = 0x0101010101010101L;

	/** Result of a finished search for managed fields. */
	private static final int SEARCHED = -4;

	private static final byte[] METADATA = utf8("metadata");

	private static final byte[] MANAGED_FIELDS = utf8("managedFields");

	private static final byte[] NAMESPACE = utf8("namespace");

	private static final byte[] NAME = utf8("name");

	private static final byte[] UID = utf8("uid");

	private static final byte[] RESOURCE_VERSION = utf8("resourceVersion");

	private final ObjectIdentity identity = new ObjectIdentity();

	private final JsonExtent extent = new JsonExtent();

	private byte[] json = new byte[0];

	private int to;

	private boolean metadataSeen;

	/** Whether the scan stops after the identity. */
	private boolean identityOnly;

	/** Position at which the identity is complete. */
	private int identifiedAt;

	/** Number of objects that are not closed yet at {@link #identifiedAt}. */
	private int openThere;

	/** Whether a parser must read the identity. */
	private boolean doubtful;

	/** Whether the scan searches for the managed fields instead of the identity. */
	private boolean managedOnly;

	/** Index of the first byte of the managed fields; negative if there are none. */
	private int managedFrom;

	/** Index after the last byte of the managed fields. */
	private int managedTo;

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Scans an object.
	 * @param bytes the array with the object
	 * @param from the index of the first byte of the object
	 * @param end the index after the last available byte
	 * @return the index after the object, or {@link #CUT_OFF} or {@link #NO_OBJECT}
	 */
	int scan(byte[] bytes, int from, int end) {
		return scan(bytes, from, end, false);
	}

	/**
	 * Scans an object until its identity is complete. Only the first {@code metadata} and
	 * the first fields in it are read. This method does not check that the rest is JSON,
	 * or that these fields do not occur again; no API server writes such objects. So it
	 * is only suitable for deciding whether an object is dropped.
	 * @param bytes the array with the object
	 * @param from the index of the first byte of the object
	 * @param end the index after the last available byte
	 * @return {@code true} if the identity was read; {@code false} if a parser must read
	 * it
	 */
	boolean identify(byte[] bytes, int from, int end) {
		return scan(bytes, from, end, true) == IDENTIFIED && !this.doubtful;
	}

	/**
	 * Begins the search for the end of the last identified object.
	 * @param rest the search, which this method prepares
	 * @return the index of the first byte that the search must process
	 */
	int beginRest(JsonExtent rest) {
		rest.begin(this.openThere);
		return this.identifiedAt;
	}

	/**
	 * Finds {@code metadata.managedFields} of an object. If the object has the key {@code
	 * metadata} more than once, only the first one is searched.
	 * @param bytes the array with the object
	 * @param from the index of the first byte of the object
	 * @param end the index after the last available byte
	 * @return {@code true} if there is an array of managed fields; {@code false} if there
	 * is none, or if the bytes before it are not JSON
	 */
	boolean findManagedFields(byte[] bytes, int from, int end) {
		this.managedOnly = true;
		this.managedFrom = -1;
		int found = scan(bytes, from, end, false);
		this.managedOnly = false;
		return found == SEARCHED && this.managedFrom >= 0;
	}

	/**
	 * Returns the beginning of the managed fields.
	 * @return the index of the bracket that opens their array
	 */
	int managedFrom() {
		return this.managedFrom;
	}

	/**
	 * Returns the end of the managed fields.
	 * @return the index after the bracket that closes their array
	 */
	int managedTo() {
		return this.managedTo;
	}

	private int scan(byte[] bytes, int from, int end, boolean stopping) {
		this.json = bytes;
		this.to = end;
		this.metadataSeen = false;
		this.identityOnly = stopping;
		this.doubtful = false;
		this.identity.clear();
		int behind = object(from, false);
		if (behind == CUT_OFF || behind == NO_OBJECT || this.doubtful) {
			this.identity.clear();
		}
		return behind;
	}

	/**
	 * Returns the identity of the last scanned object.
	 * @return the identity, which is valid until the next scan; empty if a parser must
	 * read it
	 */
	ObjectIdentity identity() {
		return this.identity;
	}

	private int object(int from, boolean metadata) {
		if (!isAt(from, '{')) {
			return missing(from);
		}
		int at = skipSpace(this.json, from + 1, this.to);
		if (isAt(at, '}')) {
			return at + 1;
		}
		while (isAt(at, '"')) {
			int endOfKey = endOfString(at + 1);
			int colon = (endOfKey >= 0) ? skipSpace(this.json, endOfKey, this.to) : this.to;
			if (!isAt(colon, ':')) {
				return missing(colon);
			}
			int value = skipSpace(this.json, colon + 1, this.to);
			int behind = (value < this.to) ? field(at + 1, endOfKey - 1, value, metadata) : CUT_OFF;
			if (behind < 0) {
				return behind;
			}
			at = skipSpace(this.json, behind, this.to);
			if (isAt(at, '}')) {
				return at + 1;
			}
			if (!isAt(at, ',')) {
				return missing(at);
			}
			at = skipSpace(this.json, at + 1, this.to);
		}
		return missing(at);
	}

	private boolean isAt(int at, char token) {
		return at < this.to && this.json[at] == token;
	}

	private int missing(int at) {
		return (at < this.to) ? NO_OBJECT : CUT_OFF;
	}

	private int field(int key, int endOfKey, int value, boolean metadata) {
		this.doubtful |= isEscaped(key, endOfKey);
		if (!metadata) {
			return isKey(METADATA, key, endOfKey) ? metadata(value) : value(value);
		}
		if (this.managedOnly) {
			return (isKey(MANAGED_FIELDS, key, endOfKey) && isAt(value, '[')) ? managedFields(value) : value(value);
		}
		TextBytes part = part(key, endOfKey);
		return (part != null) ? text(part, value) : value(value);
	}

	private int metadata(int at) {
		this.doubtful |= this.metadataSeen || !isAt(at, '{');
		this.metadataSeen = true;
		int behind = isAt(at, '{') ? object(at, true) : value(at);
		if (this.managedOnly) {
			return (behind >= 0) ? SEARCHED : behind;
		}
		return identified(behind >= 0 && this.identityOnly, behind, 1);
	}

	private int managedFields(int at) {
		int behind = endOfNested(at);
		if (behind < 0) {
			return behind;
		}
		this.managedFrom = at;
		this.managedTo = behind;
		return SEARCHED;
	}

	private int identified(boolean complete, int at, int open) {
		if (!complete) {
			return at;
		}
		this.identifiedAt = at;
		this.openThere = open;
		return IDENTIFIED;
	}

	private @Nullable TextBytes part(int key, int endOfKey) {
		if (isKey(NAME, key, endOfKey)) {
			return this.identity.name();
		}
		if (isKey(NAMESPACE, key, endOfKey)) {
			return this.identity.namespace();
		}
		if (isKey(UID, key, endOfKey)) {
			return this.identity.uid();
		}
		return isKey(RESOURCE_VERSION, key, endOfKey) ? this.identity.resourceVersion() : null;
	}

	private boolean isKey(byte[] name, int key, int endOfKey) {
		return Arrays.equals(this.json, key, endOfKey, name, 0, name.length);
	}

	private boolean isEscaped(int from, int end) {
		for (int i = from; i < end; i++) {
			if (this.json[i] == '\\') {
				return true;
			}
		}
		return false;
	}

	private int text(TextBytes part, int at) {
		if (!isAt(at, '"')) {
			this.doubtful = true;
			return value(at);
		}
		int end = endOfString(at + 1);
		if (end >= 0) {
			this.doubtful |= !part.isEmpty() || isEscaped(at + 1, end - 1);
			part.set(this.json, at + 1, end - 1);
		}
		return identified(end >= 0 && this.identityOnly && isComplete(), end, 2);
	}

	private boolean isComplete() {
		return !(this.identity.name().isEmpty() || this.identity.namespace().isEmpty() || this.identity.uid().isEmpty()
				|| this.identity.resourceVersion().isEmpty());
	}

	private int value(int at) {
		byte first = this.json[at];
		if (first == '"') {
			return endOfString(at + 1);
		}
		if (first == '{' || first == '[') {
			return endOfNested(at);
		}
		int end = at;
		while (end < this.to && !isDelimiter(this.json[end])) {
			end++;
		}
		return (end > at && end < this.to) ? end : missing(end);
	}

	private static boolean isDelimiter(byte next) {
		return next == ',' || next == '}' || next == ']' || isSpace(next);
	}

	private int endOfNested(int from) {
		this.extent.clear();
		int end = this.extent.end(this.json, from, this.to);
		return (end >= 0) ? end : CUT_OFF;
	}

	// Read eight characters at a time, because some strings are long.
	private int endOfString(int from) {
		byte[] bytes = this.json;
		int at = from;
		while (true) {
			while (at <= this.to - Long.BYTES) {
				long eight = (long) LONGS.get(bytes, at);
				long found = zeroBytes(eight ^ '"' * ONES) | zeroBytes(eight ^ '\\' * ONES);
				if (found != 0) {
					at += Long.numberOfTrailingZeros(found) >>> 3;
					break;
				}
				at += Long.BYTES;
			}
			while (at < this.to && bytes[at] != '"' && bytes[at] != '\\') {
				at++;
			}
			if (at >= this.to) {
				return CUT_OFF;
			}
			if (bytes[at] == '"') {
				return at + 1;
			}
			at += 2;
		}
	}

	// The lowest set bit belongs to the first zero byte.
	private static long zeroBytes(long eight) {
		return (eight - ONES) & ~eight & ONES << 7;
	}

	static int skipSpace(byte[] json, int from, int to) {
		int at = from;
		while (at < to && isSpace(json[at])) {
			at++;
		}
		return at;
	}

	private static boolean isSpace(byte next) {
		return next == ' ' || next == '\n' || next == '\r' || next == '\t';
	}

}
