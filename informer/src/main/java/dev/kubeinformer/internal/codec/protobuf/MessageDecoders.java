package dev.kubeinformer.internal.codec.protobuf;

import org.jspecify.annotations.Nullable;

/** Decoders of the built-in types, which are loaded on demand. */
public final class MessageDecoders {

	private static final String MODELS = "io.kubernetes.client.openapi.models";

	private MessageDecoders() {
	}

	/**
	 * Finds the decoder of a built-in type.
	 * @param <T> the model class
	 * @param objectClass the model class
	 * @return the decoder; {@code null} if the class does not belong to a built-in type,
	 * or the API server does not serve the type as protobuf
	 */
	@SuppressWarnings("unchecked") // The decoder of a model class returns models of that
									// class.
	public static <T> @Nullable MessageDecoder<T> find(Class<T> objectClass) {
		return objectClass.getPackageName().equals(MODELS)
				? (MessageDecoder<T>) GeneratedDecoders.find(objectClass.getSimpleName()) : null;
	}

}
