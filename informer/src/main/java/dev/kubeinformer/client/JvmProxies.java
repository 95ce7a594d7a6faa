package dev.kubeinformer.client;

import java.net.ProxySelector;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Proxies that the JVM is set up for.
 *
 * @param selector the selector; {@code null} if there is none
 * @param properties the system properties: the value of one; {@code null} if it is not
 * set
 */
record JvmProxies(@Nullable ProxySelector selector, UnaryOperator<@Nullable String> properties) {

	/** Selector of the JDK, which reads system properties. */
	private static final String STANDARD = "sun.net.spi.DefaultProxySelector";

	static JvmProxies system() {
		return new JvmProxies(ProxySelector.getDefault(), System::getProperty);
	}

	/**
	 * Returns whether the JVM decides which proxy a URL takes. Then it may also say that
	 * it takes none.
	 * @param scheme the scheme of the URL
	 * @return {@code true} if the JVM is set up for proxies
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
