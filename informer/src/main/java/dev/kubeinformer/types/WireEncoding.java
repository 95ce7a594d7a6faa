package dev.kubeinformer.types;

/**
 * Encodings of the API server's responses to an informer.
 */
public enum WireEncoding {

	/** JSON, which every API server supports. */
	JSON,

	/** Kubernetes protobuf, which kube-apiserver supports for built-in types. */
	PROTOBUF

}
