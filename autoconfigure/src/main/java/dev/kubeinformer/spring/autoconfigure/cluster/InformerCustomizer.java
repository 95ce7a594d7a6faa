package dev.kubeinformer.spring.autoconfigure.cluster;

import dev.kubeinformer.Informers;

/**
 * Customizes the auto-configured {@link Informers}, for settings without a property.
 * Beans of this type are called in order. They take precedence over properties, because
 * they are called after all properties were applied. They also customize each
 * {@link Informers.Builder} that is injected, but not {@code Informers} that the
 * application builds with another builder.
 */
@FunctionalInterface
public interface InformerCustomizer {

	/**
	 * Customizes the informers before they are built. Called for each builder, even if
	 * informers are disabled.
	 * @param builder the builder
	 */
	void customize(Informers.Builder builder);

}
