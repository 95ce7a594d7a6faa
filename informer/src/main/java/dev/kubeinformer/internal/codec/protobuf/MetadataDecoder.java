package dev.kubeinformer.internal.codec.protobuf;

import io.kubernetes.client.openapi.models.V1ObjectMeta;

import dev.kubeinformer.internal.codec.model.MetadataForm;
import dev.kubeinformer.resource.Metadata;

/**
 * Decodes only the metadata of objects, and skips all other fields. The metadata is the
 * first field of every kind.
 */
final class MetadataDecoder implements MessageDecoder<Metadata<?>> {

	/** Tag of the metadata, which is the same for every kind. */
	private static final int METADATA = 1 << 3 | MessageCursor.BYTES;

	private final MetadataForm form;

	MetadataDecoder(MetadataForm form) {
		this.form = form;
	}

	@Override
	public Metadata<?> decode(ProtobufReader reader) throws MalformedMessageException {
		V1ObjectMeta metadata = null;
		for (int tag = reader.nextField(); tag != 0; tag = reader.nextField()) {
			if (tag == METADATA) {
				metadata = reader.message(V1ObjectMetaDecoder.INSTANCE);
			}
			else {
				reader.skip(tag);
			}
		}
		// An object without a name counts as unreadable.
		return this.form.of((metadata != null) ? metadata : new V1ObjectMeta());
	}

	@Override
	public String fieldName(int number) {
		return (number == 1) ? "metadata" : "";
	}

}
