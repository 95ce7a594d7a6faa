package dev.kubeinformer.internal.codec.protobuf;

import org.jspecify.annotations.Nullable;

/**
 * The decoders of the built-in types. None is loaded before it is asked for.
 */
public final class MessageDecoders {

	private static final String MODELS = "io.kubernetes.client.openapi.models";

	private MessageDecoders() {
	}

	/**
	 * Finds the decoder of a built-in type.
	 * @param <T> the model class
	 * @param objectClass the model class
	 * @return the decoder; {@code null} if the class is none of a built-in type, or one
	 * that is not served as protobuf
	 */
	@SuppressWarnings("unchecked") // a model's decoder makes such models
	public static <T> @Nullable MessageDecoder<T> find(Class<T> objectClass) {
		return objectClass.getPackageName().equals(MODELS)
				? (MessageDecoder<T>) GeneratedDecoders.find(objectClass.getSimpleName()) : null;
	}

}
