package dev.kubeinformer.internal.codec.protobuf;

import io.kubernetes.client.openapi.models.V1PersistentVolumeClaim;

/**
 * Decodes the volume claim templates of stateful sets. In JSON a template has
 * {@code kind} and {@code apiVersion}, but in protobuf it does not, so this decoder sets
 * them.
 */
final class ClaimTemplateDecoder implements MessageDecoder<V1PersistentVolumeClaim> {

	static final ClaimTemplateDecoder INSTANCE = new ClaimTemplateDecoder();

	private ClaimTemplateDecoder() {
	}

	@Override
	public V1PersistentVolumeClaim decode(ProtobufReader reader) throws MalformedMessageException {
		V1PersistentVolumeClaim claim = V1PersistentVolumeClaimDecoder.INSTANCE.decode(reader);
		claim.setApiVersion("v1");
		claim.setKind("PersistentVolumeClaim");
		return claim;
	}

	@Override
	public String fieldName(int number) {
		return V1PersistentVolumeClaimDecoder.INSTANCE.fieldName(number);
	}

}
