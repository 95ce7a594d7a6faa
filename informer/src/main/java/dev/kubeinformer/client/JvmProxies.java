package dev.kubeinformer.client;

import java.net.ProxySelector;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Proxy settings of the JVM.
 *
 * @param selector the default proxy selector; {@code null} if there is none
 * @param properties returns the value of a system property; {@code null} if the property
 * is not set
 */
record JvmProxies(@Nullable ProxySelector selector, UnaryOperator<@Nullable String> properties) {

	/** Class name of the JDK's default selector, which reads system properties. */
	private static final String STANDARD = "sun.net.spi.DefaultProxySelector";

	static JvmProxies system() {
		return new JvmProxies(ProxySelector.getDefault(), System::getProperty);
	}

	/**
	 * Returns whether the settings of the JVM decide which proxy is used for a URL. They
	 * may also decide that no proxy is used.
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
