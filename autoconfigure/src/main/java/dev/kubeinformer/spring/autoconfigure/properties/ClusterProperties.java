package dev.kubeinformer.spring.autoconfigure.properties;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;

import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientProperties;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.PropertyRanges;

/**
 * Properties of a named cluster: those of its client, and overrides for its informers. Properties of {@code kubernetes.client} are not inherited.
 *
 * @param informers informers in the cluster
 * @param readiness Whether readiness, and a start that waits for informers, waits for handlers, reconcilers and informers in this cluster.
 * @param url URL of the API server. By default the URL in the kubeconfig or, in a pod, in the environment.
 * @param token Bearer token, replacing the credentials in the kubeconfig.
 * @param tokenFile Path of a file with the bearer token, which is read again every minute and when the API server rejects the token.
 * @param ca Certificate authorities of the API server, replacing those of the kubeconfig or the service account: the path of a PEM file, which is read again when it changes, a resource location, or the PEM itself.
 * @param tlsServerName TLS server name, which is sent as SNI and must match the certificate of the API server, instead of the host of the URL.
 * @param proxy URL of the proxy, such as http://user:password@proxy.example.com:3128 or socks5://localhost:1080. By default the proxy in the kubeconfig, then that of the JVM, then that in the environment variable HTTPS_PROXY.
 * @param kubeconfig Path of the kubeconfig file, which may begin with ~ or be a file:
 * URL. By default the merged files in the environment variable KUBECONFIG, or the file .kube/config in the home directory.
 * @param context Name of the context in the kubeconfig. By default its current context.
 * @param userAgent User agent of requests.
 * @param connectTimeout Time limit for connecting to the API server, including the TLS handshake; zero for no limit.
 * @param protobuf Whether informers request Kubernetes protobuf, which is smaller than JSON and faster to decode. Also applies to an ApiClient bean of the application.
 * @param ssl TLS of the connection
 * @param impersonate impersonated user
 */
public record ClusterProperties(@DefaultValue Informers informers, @DefaultValue("false") Boolean readiness,
		@Nullable String url, @Nullable String token, @Nullable String tokenFile, @Nullable String ca,
		@Nullable String tlsServerName, @Nullable String proxy, @Nullable String kubeconfig, @Nullable String context,
		@Nullable String userAgent, @DefaultValue("10s") Duration connectTimeout,
		@DefaultValue("auto") KubernetesClientProperties.Protobuf protobuf,
		@NestedConfigurationProperty @DefaultValue KubernetesClientProperties.Ssl ssl,
		@NestedConfigurationProperty @DefaultValue KubernetesClientProperties.Impersonate impersonate) {

	/**
	 * Returns the properties of a cluster without configuration.
	 * @return the defaults
	 */
	static ClusterProperties none() {
		return new Binder().bindOrCreate(ClusterEntries.PREFIX, ClusterProperties.class);
	}

	/**
	 * Returns the properties of the client.
	 * @return the properties that correspond to {@code kubernetes.client}
	 */
	public KubernetesClientProperties client() {
		return new KubernetesClientProperties(this.url, this.token, this.tokenFile, this.ca, this.tlsServerName,
				this.proxy, this.kubeconfig, this.context, this.userAgent, this.connectTimeout, this.protobuf, this.ssl,
				this.impersonate);
	}

	/**
	 * Checks the ranges of the properties.
	 * @param name the name of the cluster
	 * @throws InvalidPropertyValueException if a value is out of range
	 */
	void checkRanges(String name) {
		String prefix = ClusterEntries.name(name, "");
		client().check(prefix);
		PropertyRanges ranges = new PropertyRanges(prefix + ".informers");
		ranges.zeroOrMore("resync", this.informers.resync());
		ranges.atLeast("concurrent-lists", this.informers.concurrentLists(), 1);
		this.informers.resources()
			.forEach((key, resource) -> resource.check(ranges, PropertyRanges.entry("resources", key)));
	}

	/**
	 * Returns a text without values, because some of them are secrets.
	 */
	@Override
	public String toString() {
		return "properties of a Kubernetes cluster";
	}

	/**
	 * Properties of informers in the cluster, taking precedence over {@code kubernetes.informers}.
	 *
	 * @param namespaces Namespaces to watch in the cluster, '*' for all, '@current' for the namespace of its kubeconfig's context. Ignored for cluster-scoped resources.
	 * @param resync Period in which every cached object of the cluster is delivered to handlers again; zero for no resync.
	 * @param concurrentLists Maximum number of lists that the informers of the cluster read concurrently.
	 * @param resources Overrides for a resource of the cluster, by its plural and group, such as pods or "[deployments.apps]".
	 */
	public record Informers(@Nullable List<String> namespaces, @Nullable Duration resync,
			@Nullable Integer concurrentLists, @DefaultValue Map<String, InformersProperties.Resource> resources) {
	}

}
