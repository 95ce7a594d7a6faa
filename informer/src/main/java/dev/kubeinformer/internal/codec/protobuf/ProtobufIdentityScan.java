package dev.kubeinformer.internal.codec.protobuf;

import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.ObjectIdentity;
import dev.kubeinformer.internal.text.TextBytes;

/**
 * Finds the identity of objects, one after another, without allocating memory. The rest
 * of an object is not read.
 */
final class ProtobufIdentityScan {

	private static final byte[] NOTHING = new byte[0];

	/** Number of the metadata field, which is the same for every kind. */
	private static final int METADATA = 1;

	private static final int NAME = 1;

	private static final int NAMESPACE = 3;

	private static final int UID = 5;

	private static final int RESOURCE_VERSION = 6;

	private final WireFields object = new WireFields(NOTHING, 0, 0);

	private final WireFields metadata = new WireFields(NOTHING, 0, 0);

	private final ObjectIdentity identity = new ObjectIdentity();

	/**
	 * Returns whether an object is cached in the same version.
	 * @param bytes the array with the object
	 * @param from the index of the first byte of the object
	 * @param to the index after its last byte
	 * @param known the cached objects
	 * @return {@code true} if it is cached; {@code false} also if the bytes are not a
	 * message
	 */
	boolean isKnown(byte[] bytes, int from, int to, KnownObjects known) {
		try {
			return known.include(read(bytes, from, to));
		}
		catch (MalformedMessageException ex) {
			return false;
		}
	}

	/**
	 * Reads the identity of an object. If a field occurs twice, the last one counts, as
	 * always in protobuf.
	 * @param bytes the array with the object
	 * @param from the index of the first byte of the object
	 * @param to the index after its last byte
	 * @return the identity, which is valid until the next call
	 * @throws MalformedMessageException if the bytes are not a message
	 */
	ObjectIdentity read(byte[] bytes, int from, int to) throws MalformedMessageException {
		this.identity.clear();
		this.object.reset(bytes, from, to);
		while (this.object.next()) {
			if (this.object.isBytes(METADATA)) {
				readMetadata(bytes, this.object.from(), this.object.to());
			}
		}
		return this.identity;
	}

	private void readMetadata(byte[] bytes, int from, int to) throws MalformedMessageException {
		this.metadata.reset(bytes, from, to);
		while (this.metadata.next()) {
			if (this.metadata.isBytes(NAME)) {
				show(bytes, this.identity.name());
			}
			else if (this.metadata.isBytes(NAMESPACE)) {
				show(bytes, this.identity.namespace());
			}
			else if (this.metadata.isBytes(UID)) {
				show(bytes, this.identity.uid());
			}
			else if (this.metadata.isBytes(RESOURCE_VERSION)) {
				show(bytes, this.identity.resourceVersion());
			}
		}
	}

	private void show(byte[] bytes, TextBytes text) {
		text.set(bytes, this.metadata.from(), this.metadata.to());
	}

}
