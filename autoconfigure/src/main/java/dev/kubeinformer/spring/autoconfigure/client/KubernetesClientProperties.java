package dev.kubeinformer.spring.autoconfigure.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;

import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.PropertyRanges;

/**
 * Properties of the connection to a Kubernetes cluster.
 */
@ConfigurationProperties(KubernetesClientProperties.PREFIX)
public class KubernetesClientProperties implements InitializingBean {

	/** The prefix of the properties of the default cluster. */
	public static final String PREFIX = "kubernetes.client";

	/**
	 * URL of the API server. By default that of the kubeconfig or, in a pod, of the
	 * environment.
	 */
	private @Nullable String url;

	/**
	 * Bearer token to authenticate with, instead of what the kubeconfig says.
	 */
	private @Nullable String token;

	/**
	 * Path of a file with the bearer token, which is read again every minute and when the
	 * API server turns the token away.
	 */
	private @Nullable String tokenFile;

	/**
	 * Certificates of the authorities that may vouch for the API server, instead of those
	 * of the kubeconfig or the service account: the path of a PEM file, which is read
	 * again when it changes, a resource location, or the PEM itself.
	 */
	private @Nullable String ca;

	/**
	 * Name that is sent as SNI and that the certificate of the API server must have,
	 * instead of the host of the URL.
	 */
	private @Nullable String tlsServerName;

	/**
	 * URL of the proxy that the connections take, such as
	 * http://user:password@proxy.example.com:3128 or socks5://localhost:1080. By default
	 * that of the kubeconfig, else what the JVM is set to, else that of the environment
	 * variable HTTPS_PROXY.
	 */
	private @Nullable String proxy;

	/**
	 * Path of the kubeconfig file, which may begin with ~ or be a file: URL. By default
	 * the files in the environment variable KUBECONFIG, merged, else the file
	 * .kube/config in the home directory.
	 */
	private @Nullable String kubeconfig;

	/**
	 * Name of the context in the kubeconfig. By default its current context.
	 */
	private @Nullable String context;

	/**
	 * User agent that the API server sees.
	 */
	private @Nullable String userAgent;

	/**
	 * How long to wait for a connection to the API server, TLS handshake included; zero
	 * for no limit.
	 */
	private Duration connectTimeout = Duration.ofSeconds(10);

	/**
	 * Whether informers ask for Kubernetes protobuf, which is smaller and decoded faster
	 * than JSON. It concerns also an ApiClient bean of the application.
	 */
	private Protobuf protobuf = Protobuf.AUTO;

	private final Ssl ssl = new Ssl();

	private final Impersonate impersonate = new Impersonate();

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
	protected final void check(String prefix) {
		// The client counts in milliseconds.
		new PropertyRanges(prefix).zeroOrMore("connect-timeout", this.connectTimeout,
				Duration.ofSeconds(Integer.MAX_VALUE / 1000));
	}

	public @Nullable String getUrl() {
		return this.url;
	}

	public void setUrl(@Nullable String url) {
		this.url = url;
	}

	public @Nullable String getToken() {
		return this.token;
	}

	public void setToken(@Nullable String token) {
		this.token = token;
	}

	public @Nullable String getTokenFile() {
		return this.tokenFile;
	}

	public void setTokenFile(@Nullable String tokenFile) {
		this.tokenFile = tokenFile;
	}

	public @Nullable String getCa() {
		return this.ca;
	}

	public void setCa(@Nullable String ca) {
		this.ca = ca;
	}

	public @Nullable String getTlsServerName() {
		return this.tlsServerName;
	}

	public void setTlsServerName(@Nullable String tlsServerName) {
		this.tlsServerName = tlsServerName;
	}

	public @Nullable String getProxy() {
		return this.proxy;
	}

	public void setProxy(@Nullable String proxy) {
		this.proxy = proxy;
	}

	public @Nullable String getKubeconfig() {
		return this.kubeconfig;
	}

	public void setKubeconfig(@Nullable String kubeconfig) {
		this.kubeconfig = kubeconfig;
	}

	public @Nullable String getContext() {
		return this.context;
	}

	public void setContext(@Nullable String context) {
		this.context = context;
	}

	public @Nullable String getUserAgent() {
		return this.userAgent;
	}

	public void setUserAgent(@Nullable String userAgent) {
		this.userAgent = userAgent;
	}

	public Duration getConnectTimeout() {
		return this.connectTimeout;
	}

	public void setConnectTimeout(Duration connectTimeout) {
		this.connectTimeout = connectTimeout;
	}

	public Protobuf getProtobuf() {
		return this.protobuf;
	}

	public void setProtobuf(@Nullable Protobuf protobuf) {
		if (protobuf != null) {
			this.protobuf = protobuf;
		}
	}

	public Ssl getSsl() {
		return this.ssl;
	}

	public Impersonate getImpersonate() {
		return this.impersonate;
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
	 */
	public static class Ssl {

		/**
		 * Name of the SSL bundle whose trust store and key store are used instead of the
		 * certificate authority and the client certificate of the kubeconfig or the
		 * service account.
		 */
		private @Nullable String bundle;

		public @Nullable String getBundle() {
			return this.bundle;
		}

		public void setBundle(@Nullable String bundle) {
			this.bundle = bundle;
		}

	}

	/**
	 * Properties of the user as whom requests are made.
	 */
	public static class Impersonate {

		/**
		 * Name of the user as whom all requests are made, instead of that of the
		 * credentials, which need the right to impersonate.
		 */
		private @Nullable String user;

		/**
		 * Groups of the user as whom requests are made.
		 */
		private List<String> groups = new ArrayList<>();

		/**
		 * UID of the user as whom requests are made.
		 */
		private @Nullable String uid;

		/**
		 * Other attributes of the user as whom requests are made: values by name.
		 */
		private Map<String, List<String>> extra = new LinkedHashMap<>();

		public @Nullable String getUser() {
			return this.user;
		}

		public void setUser(@Nullable String user) {
			this.user = user;
		}

		public List<String> getGroups() {
			return this.groups;
		}

		public void setGroups(List<String> groups) {
			this.groups = groups;
		}

		public @Nullable String getUid() {
			return this.uid;
		}

		public void setUid(@Nullable String uid) {
			this.uid = uid;
		}

		public Map<String, List<String>> getExtra() {
			return this.extra;
		}

		public void setExtra(Map<String, List<String>> extra) {
			this.extra = extra;
		}

	}

}
