package dev.kubeinformer.types;

/**
 * How the API server writes what it sends to an informer.
 */
public enum WireEncoding {

	/** JSON, which every API server speaks. */
	JSON,

	/** Kubernetes protobuf, which kube-apiserver speaks for built-in types. */
	PROTOBUF

}
