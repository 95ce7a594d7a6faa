package dev.kubeinformer.codec;

/**
 * How the API server writes objects.
 */
public enum Encoding {

	/** JSON, which every API server speaks. */
	JSON,

	/** Kubernetes protobuf, which kube-apiserver speaks for built-in types. */
	PROTOBUF

}
