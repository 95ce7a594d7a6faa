package dev.kubeinformer.internal.codec.protobuf;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.ObjectMetadata;

/**
 * Finds the identity of an object and its relations to other objects, such as its owners.
 * It also works for an object that cannot be decoded completely, and finds everything
 * before the first broken field.
 */
final class ObjectScan {

	/** Number of the metadata field, which is the same for every kind. */
	private static final int METADATA = 1;

	private String namespace = "";

	private String name = "";

	private String uid = "";

	private String resourceVersion = "";

	private final Map<String, String> annotations = new HashMap<>();

	private final V1ObjectMeta remains = new V1ObjectMeta();

	private ObjectScan() {
	}

	static ObjectScan of(byte[] bytes, int from, int to) {
		ObjectScan scan = new ObjectScan();
		try {
			WireFields object = new WireFields(bytes, from, to);
			while (object.next()) {
				if (object.isBytes(METADATA)) {
					scan.readMetadata(object.message());
				}
			}
		}
		catch (MalformedMessageException ex) {
			// The object is broken at this point; the fields before it count.
			return scan;
		}
		return scan;
	}

	private void readMetadata(WireFields metadata) throws MalformedMessageException {
		while (metadata.next()) {
			if (metadata.isBytes(1)) {
				this.name = metadata.text();
			}
			else if (metadata.isBytes(3)) {
				this.namespace = metadata.text();
			}
			else if (metadata.isBytes(5)) {
				this.uid = metadata.text();
			}
			else if (metadata.isBytes(6)) {
				this.resourceVersion = metadata.text();
			}
			else if (metadata.isBytes(9)) {
				this.remains.setDeletionTimestamp(time(metadata.message()));
			}
			else if (metadata.isBytes(12)) {
				readAnnotation(metadata.message());
			}
			else if (metadata.isBytes(13)) {
				readOwner(metadata.message());
			}
			else if (metadata.isBytes(14)) {
				// A patch refers to finalizers by their index, so count unreadable ones,
				// too.
				this.remains.addFinalizersItem(metadata.text());
			}
		}
	}

	private void readAnnotation(WireFields entry) throws MalformedMessageException {
		String key = "";
		String value = "";
		while (entry.next()) {
			if (entry.isBytes(1)) {
				key = entry.text();
			}
			else if (entry.isBytes(2)) {
				value = entry.text();
			}
		}
		this.annotations.put(key, value);
	}

	private static OffsetDateTime time(WireFields timestamp) throws MalformedMessageException {
		long seconds = 0;
		while (timestamp.next()) {
			seconds = timestamp.isNumber(1) ? timestamp.number() : seconds;
		}
		try {
			return Instant.ofEpochSecond(seconds).atOffset(ZoneOffset.UTC);
		}
		catch (DateTimeException ex) {
			return Instant.EPOCH.atOffset(ZoneOffset.UTC);
		}
	}

	private void readOwner(WireFields reference) throws MalformedMessageException {
		V1OwnerReference owner = new V1OwnerReference();
		while (reference.next()) {
			if (reference.isBytes(1)) {
				owner.setKind(reference.text());
			}
			else if (reference.isBytes(3)) {
				owner.setName(reference.text());
			}
			else if (reference.isBytes(4)) {
				owner.setUid(reference.text());
			}
			else if (reference.isBytes(5)) {
				owner.setApiVersion(reference.text());
			}
			else if (reference.isNumber(6) && reference.number() != 0) {
				owner.setController(true);
			}
		}
		this.remains.addOwnerReferencesItem(owner);
	}

	<T> DecodedObject<T> unreadable(String problem) {
		return new DecodedObject<>(metadata(), null, problem, this.remains);
	}

	ObjectMetadata metadata() {
		return new ObjectMetadata(this.namespace, this.name, this.uid, this.resourceVersion);
	}

	Map<String, String> annotations() {
		return this.annotations;
	}

}
