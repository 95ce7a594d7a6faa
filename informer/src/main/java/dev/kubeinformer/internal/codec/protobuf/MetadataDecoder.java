package dev.kubeinformer.internal.codec.protobuf;

import io.kubernetes.client.openapi.models.V1ObjectMeta;

import dev.kubeinformer.internal.codec.model.MetadataForm;
import dev.kubeinformer.resource.Metadata;

/**
 * Decoder of the metadata of objects, which is the first field of every kind. Other
 * fields are passed over.
 */
final class MetadataDecoder implements MessageDecoder<Metadata<?>> {

	/** The field of every kind. */
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
		// Without a name it counts as unreadable.
		return this.form.of((metadata != null) ? metadata : new V1ObjectMeta());
	}

	@Override
	public String fieldName(int number) {
		return (number == 1) ? "metadata" : "";
	}

}
