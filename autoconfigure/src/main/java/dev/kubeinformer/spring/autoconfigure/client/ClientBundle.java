package dev.kubeinformer.spring.autoconfigure.client;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;

import dev.kubeinformer.client.ManagedApiClient;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;

/**
 * The SSL bundle that the properties of a client name.
 *
 * @param name its name
 * @param bundles the bundles of the application
 * @param prefix the prefix of the properties that name it
 */
record ClientBundle(String name, ObjectProvider<SslBundles> bundles, String prefix) {

	private static final Logger logger = LoggerFactory.getLogger(ClientBundle.class);

	/**
	 * Applies the bundle to a client that is being built.
	 * @param builder the client
	 * @return the TLS of the bundle
	 * @throws InvalidPropertyValueException if there is no such bundle, or one that
	 * cannot be applied
	 */
	ClientTls apply(ManagedApiClient.Builder builder) {
		ClientTls tls = tls();
		tls.apply(builder);
		return tls;
	}

	/**
	 * Applies the options of the bundle to a client.
	 * @param tls the TLS of the bundle
	 * @param client the client
	 * @throws InvalidPropertyValueException if they cannot be applied
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
	 * Applies to a client whatever the bundle is reloaded to. That cannot be undone, so
	 * it comes after all that can fail.
	 * @param tls the TLS that the client was made with
	 * @param client the client
	 */
	void follow(ClientTls tls, ManagedApiClient client) {
		all().addBundleUpdateHandler(this.name, (updated) -> {
			ClientTls.of(updated).renew(client);
			logger.info("The connections to the Kubernetes API use the reloaded SSL bundle '{}'", this.name);
		});
		ClientTls current = tls();
		if (current.bundle() != tls.bundle()) {
			// It was reloaded while the client was made.
			current.renew(client);
		}
	}

	private ClientTls tls() {
		SslBundles all = all();
		try {
			return ClientTls.of(all.getBundle(this.name));
		}
		catch (NoSuchSslBundleException ex) {
			throw invalid("names no SSL bundle; there are " + all.getBundleNames());
		}
	}

	private SslBundles all() {
		SslBundles all = this.bundles.getIfAvailable();
		if (all == null) {
			throw invalid("names an SSL bundle, but the application has none; is SslAutoConfiguration excluded?");
		}
		return all;
	}

	private InvalidPropertyValueException invalid(String rule) {
		return new InvalidPropertyValueException(this.prefix + ".ssl.bundle", this.name, rule);
	}

}
