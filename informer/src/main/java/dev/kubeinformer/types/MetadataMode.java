package dev.kubeinformer.types;

/**
 * Side that reduces objects to their metadata, for an informer that caches only metadata:
 * the API server or the informer.
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
