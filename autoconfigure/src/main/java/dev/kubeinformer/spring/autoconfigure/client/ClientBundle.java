package dev.kubeinformer.spring.autoconfigure.client;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;

import dev.kubeinformer.client.ManagedApiClient;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;

/**
 * SSL bundle that is named in the properties of a client.
 *
 * @param name the name of the bundle
 * @param bundles the bundles of the application
 * @param prefix the prefix of the client's properties
 */
record ClientBundle(String name, SslBundles bundles, String prefix) {

	private static final Logger logger = LoggerFactory.getLogger(ClientBundle.class);

	/**
	 * Creates an instance for a bundle of the application.
	 * @param name the name of the bundle
	 * @param bundles the bundles of the application
	 * @param prefix the prefix of the client's properties
	 * @return the bundle
	 * @throws InvalidPropertyValueException if the application has no bundles
	 */
	static ClientBundle of(String name, ObjectProvider<SslBundles> bundles, String prefix) {
		SslBundles all = bundles.getIfAvailable();
		if (all == null) {
			throw invalid(name, prefix, "names an SSL bundle, but the application has no bundles; check that "
					+ "SslAutoConfiguration is not excluded");
		}
		return new ClientBundle(name, all, prefix);
	}

	/**
	 * Applies the bundle to a client that is being built.
	 * @param builder the client
	 * @return the TLS settings from the bundle
	 * @throws InvalidPropertyValueException if the bundle does not exist or cannot be
	 * applied
	 */
	ClientTls apply(ManagedApiClient.Builder builder) {
		ClientTls tls = tls();
		tls.apply(builder);
		return tls;
	}

	/**
	 * Applies the options of the bundle to a client.
	 * @param tls the TLS settings from the bundle
	 * @param client the client
	 * @throws InvalidPropertyValueException if the options cannot be applied
	 */
	void applyOptions(ClientTls tls, ManagedApiClient client) {
		try {
			tls.applyOptions(client);
		}
		catch (IllegalArgumentException ex) {
			throw invalid("names an SSL bundle that " + ex.getMessage());
		}
	}

	/**
	 * Makes a client follow later reloads of the bundle. This cannot be undone, so call
	 * this method after all steps that can fail.
	 * @param tls the TLS settings with which the client was created
	 * @param client the client
	 */
	void follow(ClientTls tls, ManagedApiClient client) {
		Object order = new Object();
		this.bundles.addBundleUpdateHandler(this.name, (updated) -> {
			synchronized (order) {
				ClientTls.of(updated).renew(client);
			}
			logger.info("The connections to the Kubernetes API use the reloaded SSL bundle '{}'", this.name);
		});
		synchronized (order) {
			ClientTls current = tls();
			if (current.bundle() != tls.bundle()) {
				// The bundle was reloaded while the client was created.
				current.renew(client);
			}
		}
	}

	private ClientTls tls() {
		try {
			return ClientTls.of(this.bundles.getBundle(this.name));
		}
		catch (NoSuchSslBundleException ex) {
			throw invalid("names an SSL bundle that does not exist; the bundles are " + this.bundles.getBundleNames());
		}
	}

	private InvalidPropertyValueException invalid(String rule) {
		return invalid(this.name, this.prefix, rule);
	}

	private static InvalidPropertyValueException invalid(String name, String prefix, String rule) {
		return new InvalidPropertyValueException(prefix + ".ssl.bundle", name, rule);
	}

}
