package dev.kubeinformer.spring.autoconfigure.cluster;

import dev.kubeinformer.Informers;

/**
 * Callback for the auto-configured {@link Informers}, for what no property says. Beans of
 * this type are called in order, after all properties are applied, so that they have the
 * last word. The prototype bean of {@link Informers.Builder} is customized, too;
 * {@code Informers} that the application builds without it are not.
 */
@FunctionalInterface
public interface InformerCustomizer {

	/**
	 * Customizes the informers before they are built. It is called for each builder, also
	 * when informers are off.
	 * @param builder the builder
	 */
	void customize(Informers.Builder builder);

}
