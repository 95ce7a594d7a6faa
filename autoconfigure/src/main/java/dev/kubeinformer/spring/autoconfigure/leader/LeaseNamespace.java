package dev.kubeinformer.spring.autoconfigure.leader;

import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;

/**
 * Namespace of Leases from a property. Internal to the starter.
 *
 * @param property the name of the property
 * @param given the value of the property
 * @param currentNamespace the supplier of the namespace for {@code @current}
 */
public record LeaseNamespace(String property, String given, Supplier<String> currentNamespace) {

	/** Placeholder for the namespace of the kubeconfig's context or service account. */
	static final String CURRENT = "@current";

	/** Format of a DNS label, as required for the name of a namespace. */
	private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

	private static final int LONGEST_NAMESPACE = 63;

	/**
	 * Returns the namespace.
	 * @param subject the subject of messages, such as {@code The Lease of the leader}
	 * @return the name of the namespace
	 * @throws InformerConfigurationException if the namespace is unknown or its name is
	 * not valid
	 */
	public String resolve(String subject) {
		if (this.given.equals(CURRENT)) {
			try {
				return this.currentNamespace.get();
			}
			catch (IllegalArgumentException ex) {
				throw new InformerConfigurationException(
						("%s has no namespace: '%s' is '%s', the default, "
								+ "and there is neither a kubeconfig nor a service account that would name it")
							.formatted(subject, this.property, CURRENT),
						"Set '%s' to the namespace that the application runs in.".formatted(this.property), ex);
			}
		}
		if (this.given.length() > LONGEST_NAMESPACE || !NAMESPACE.matcher(this.given).matches()) {
			throw new InvalidPropertyValueException(this.property, this.given,
					"must be the name of a namespace, or '%s'".formatted(CURRENT));
		}
		return this.given;
	}

}
