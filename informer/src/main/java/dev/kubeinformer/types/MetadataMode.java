package dev.kubeinformer.types;

/**
 * Place at which objects are reduced to their metadata, for an informer that caches only
 * metadata.
 */
public enum MetadataMode {

	/**
	 * The API server sends only the metadata ({@code PartialObjectMetadata}).
	 */
	SERVER,

	/**
	 * The API server sends whole objects; the decoder skips everything except the
	 * metadata.
	 */
	CLIENT

}
