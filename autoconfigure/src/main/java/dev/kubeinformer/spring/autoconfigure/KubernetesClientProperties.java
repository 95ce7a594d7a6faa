package dev.kubeinformer.spring.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Properties of the connection to a Kubernetes cluster.
 */
@ConfigurationProperties("kubernetes.client")
public class KubernetesClientProperties {

	/**
	 * URL of the API server. By default the kubeconfig or, in a pod, the environment
	 * tells it.
	 */
	private @Nullable String url;

	/**
	 * Bearer token to authenticate with, instead of what the kubeconfig says.
	 */
	private @Nullable String token;

	/**
	 * Path of the kubeconfig file. By default the first file in the environment variable
	 * KUBECONFIG, else the file .kube/config in the home directory.
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
	 * How long to wait for a connection to the API server.
	 */
	private Duration connectTimeout = Duration.ofSeconds(10);

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

}
