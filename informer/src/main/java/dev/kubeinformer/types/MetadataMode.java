package dev.kubeinformer.types;

/**
 * Where all but the metadata of objects is left out.
 */
public enum MetadataMode {

	/**
	 * The API server sends the metadata only ({@code PartialObjectMetadata}).
	 */
	SERVER,

	/**
	 * The API server sends whole objects, and all but their metadata is skipped while
	 * they are read.
	 */
	CLIENT

}
