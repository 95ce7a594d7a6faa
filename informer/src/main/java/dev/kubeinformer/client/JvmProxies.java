package dev.kubeinformer.client;

import java.net.ProxySelector;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Proxy settings of the JVM.
 *
 * @param selector the selector; {@code null} if there is none
 * @param properties the system properties by name; {@code null} for an unset property
 */
record JvmProxies(@Nullable ProxySelector selector, UnaryOperator<@Nullable String> properties) {

	/** Class name of the JDK's default selector, which reads system properties. */
	private static final String STANDARD = "sun.net.spi.DefaultProxySelector";

	static JvmProxies system() {
		return new JvmProxies(ProxySelector.getDefault(), System::getProperty);
	}

	/**
	 * Returns whether the JVM decides about the proxy of a URL. It may also decide for a
	 * direct connection.
	 * @param scheme the scheme of the URL
	 * @return {@code true} if proxies are configured for the JVM
	 */
	boolean decide(String scheme) {
		return this.selector == null || !this.selector.getClass().getName().equals(STANDARD)
				|| isSet(scheme + ".proxyHost") || isSet("socksProxyHost")
				|| Boolean.parseBoolean(this.properties.apply("java.net.useSystemProxies"));
	}

	private boolean isSet(String name) {
		String value = this.properties.apply(name);
		return value != null && !value.isEmpty();
	}

}
