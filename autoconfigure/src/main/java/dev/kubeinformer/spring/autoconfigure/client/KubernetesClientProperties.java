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
 * @param url URL of the API server. By default the URL in the kubeconfig or, in a pod, in
 * the environment.
 * @param token Bearer token, replacing the credentials in the kubeconfig.
 * @param tokenFile Path of a file with the bearer token, which is read again every minute
 * and when the API server rejects the token.
 * @param ca Certificate authorities of the API server, replacing those of the kubeconfig
 * or the service account: the path of a PEM file, which is read again when it changes, a
 * resource location, or the PEM itself.
 * @param tlsServerName TLS server name, which is sent as SNI and must match the
 * certificate of the API server, instead of the host of the URL.
 * @param proxy URL of the proxy, such as http://user:password@proxy.example.com:3128 or
 * socks5://localhost:1080. By default the proxy in the kubeconfig, then that of the JVM,
 * then that in the environment variable HTTPS_PROXY.
 * @param kubeconfig Path of the kubeconfig file, which may begin with ~ or be a file:
 * URL. By default the merged files in the environment variable KUBECONFIG, or the file
 * .kube/config in the home directory.
 * @param context Name of the context in the kubeconfig. By default its current context.
 * @param userAgent User agent of requests.
 * @param connectTimeout Time limit for connecting to the API server, including the TLS
 * handshake; zero for no limit.
 * @param protobuf Whether informers request Kubernetes protobuf, which is smaller than
 * JSON and faster to decode. Also applies to an ApiClient bean of the application.
 * @param ssl TLS of the connection
 * @param impersonate impersonated user
 */
@ConfigurationProperties(KubernetesClientProperties.PREFIX)
public record KubernetesClientProperties(@Nullable String url, @Nullable String token, @Nullable String tokenFile,
		@Nullable String ca, @Nullable String tlsServerName, @Nullable String proxy, @Nullable String kubeconfig,
		@Nullable String context, @Nullable String userAgent, @DefaultValue("10s") Duration connectTimeout,
		@DefaultValue("auto") Protobuf protobuf, @DefaultValue Ssl ssl,
		@DefaultValue Impersonate impersonate) implements InitializingBean {

	/** Prefix of the properties of the default cluster. */
	public static final String PREFIX = "kubernetes.client";

	/**
	 * Checks the ranges of the properties. Texts are checked when a client is created,
	 * because an application that does not connect does not need them.
	 * @throws InvalidPropertyValueException if a value is out of range
	 */
	@Override
	public void afterPropertiesSet() {
		check(PREFIX);
	}

	/**
	 * Checks the ranges of the properties.
	 * @param prefix the prefix of the properties
	 * @throws InvalidPropertyValueException if a value is out of range
	 */
	public void check(String prefix) {
		// The client uses milliseconds.
		new PropertyRanges(prefix).zeroOrMore("connect-timeout", this.connectTimeout,
				Duration.ofSeconds(Integer.MAX_VALUE / 1000));
	}

	/**
	 * Returns a text without values, because some of them are secrets.
	 */
	@Override
	public String toString() {
		return "properties of a Kubernetes client";
	}

	/**
	 * Use of protobuf.
	 */
	public enum Protobuf {

		/**
		 * Protobuf for built-in types; JSON if the API server or a proxy rejects or
		 * corrupts protobuf.
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
	 * Properties of the impersonated user.
	 *
	 * @param user Name of the user that all requests impersonate. The credentials need
	 * the permission to impersonate.
	 * @param groups Groups of the impersonated user.
	 * @param uid UID of the impersonated user.
	 * @param extra Other attributes of the impersonated user: values by name.
	 */
	public record Impersonate(@Nullable String user, @DefaultValue List<String> groups, @Nullable String uid,
			@DefaultValue Map<String, List<String>> extra) {
	}

}
