package dev.kubeinformer.spring.autoconfigure.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.PropertyRanges;

/**
 * Properties of the connection to a Kubernetes cluster.
 *
 * @param url URL of the API server. By default that of the kubeconfig or, in a pod, of
 * the environment.
 * @param token Bearer token to authenticate with, instead of what the kubeconfig says.
 * @param tokenFile Path of a file with the bearer token, which is read again every minute
 * and when the API server turns the token away.
 * @param ca Certificates of the authorities that may vouch for the API server, instead of
 * those of the kubeconfig or the service account: the path of a PEM file, which is read
 * again when it changes, a resource location, or the PEM itself.
 * @param tlsServerName Name that is sent as SNI and that the certificate of the API
 * server must have, instead of the host of the URL.
 * @param proxy URL of the proxy that the connections take, such as
 * http://user:password@proxy.example.com:3128 or socks5://localhost:1080. By default that
 * of the kubeconfig, else what the JVM is set to, else that of the environment variable
 * HTTPS_PROXY.
 * @param kubeconfig Path of the kubeconfig file, which may begin with ~ or be a file:
 * URL. By default the files in the environment variable KUBECONFIG, merged, else the file
 * .kube/config in the home directory.
 * @param context Name of the context in the kubeconfig. By default its current context.
 * @param userAgent User agent that the API server sees.
 * @param connectTimeout How long to wait for a connection to the API server, TLS
 * handshake included; zero for no limit.
 * @param protobuf Whether informers ask for Kubernetes protobuf, which is smaller and
 * decoded faster than JSON. It concerns also an ApiClient bean of the application.
 * @param ssl TLS of the connection
 * @param impersonate user as whom requests are made
 */
@ConfigurationProperties(KubernetesClientProperties.PREFIX)
public record KubernetesClientProperties(@Nullable String url, @Nullable String token, @Nullable String tokenFile,
		@Nullable String ca, @Nullable String tlsServerName, @Nullable String proxy, @Nullable String kubeconfig,
		@Nullable String context, @Nullable String userAgent, @DefaultValue("10s") Duration connectTimeout,
		@DefaultValue("auto") Protobuf protobuf, @DefaultValue Ssl ssl,
		@DefaultValue Impersonate impersonate) implements InitializingBean {

	/** The prefix of the properties of the default cluster. */
	public static final String PREFIX = "kubernetes.client";

	/**
	 * Checks what the types of the properties do not say. Texts are checked when a client
	 * is made of them, as an application that does not connect does not need them.
	 * @throws InvalidPropertyValueException if a value is out of its range
	 */
	@Override
	public void afterPropertiesSet() {
		check(PREFIX);
	}

	/**
	 * Checks what the types of the properties do not say.
	 * @param prefix the prefix of their names
	 * @throws InvalidPropertyValueException if a value is out of its range
	 */
	public void check(String prefix) {
		// The client counts in milliseconds.
		new PropertyRanges(prefix).zeroOrMore("connect-timeout", this.connectTimeout,
				Duration.ofSeconds(Integer.MAX_VALUE / 1000));
	}

	/**
	 * Returns a text without values, as some of them are secrets.
	 */
	@Override
	public String toString() {
		return "properties of a Kubernetes client";
	}

	/**
	 * When protobuf is asked for.
	 */
	public enum Protobuf {

		/**
		 * For built-in types; JSON where the API server or a proxy does not accept it or
		 * damages it.
		 */
		AUTO,

		/** Never. */
		OFF

	}

	/**
	 * Properties of TLS.
	 *
	 * @param bundle Name of the SSL bundle whose trust store and key store are used
	 * instead of the certificate authority and the client certificate of the kubeconfig
	 * or the service account.
	 */
	public record Ssl(@Nullable String bundle) {
	}

	/**
	 * Properties of the user as whom requests are made.
	 *
	 * @param user Name of the user as whom all requests are made, instead of that of the
	 * credentials, which need the right to impersonate.
	 * @param groups Groups of the user as whom requests are made.
	 * @param uid UID of the user as whom requests are made.
	 * @param extra Other attributes of the user as whom requests are made: values by
	 * name.
	 */
	public record Impersonate(@Nullable String user, @DefaultValue List<String> groups, @Nullable String uid,
			@DefaultValue Map<String, List<String>> extra) {
	}

}
