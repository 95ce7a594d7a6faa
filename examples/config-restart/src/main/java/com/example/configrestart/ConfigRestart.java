package com.example.configrestart;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import com.google.gson.Gson;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Secret;

import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.types.ObjectKey;

/**
 * Restarts the pods of a Deployment with the label {@value #LABEL} when a ConfigMap or
 * Secret that they use changes. The pod template gets an annotation with a hash of their
 * contents, and Kubernetes rolls out each new template. A restart of this application
 * finds the same hash and changes nothing.
 */
@Reconciler(labelSelector = ConfigRestart.LABEL)
class ConfigRestart {

	/** Label of the Deployments to restart, with any value. */
	static final String LABEL = "example.com/config-restart";

	/** Annotation of the pod template. */
	static final String HASH = "example.com/config-hash";

	private final Informer<V1Deployment> deployments;

	private final Lister<V1ConfigMap> configMaps;

	private final Lister<V1Secret> secrets;

	ConfigRestart(@InformerSource(labelSelector = LABEL) Informer<V1Deployment> deployments,
			Lister<V1ConfigMap> configMaps, Lister<V1Secret> secrets) {
		this.deployments = deployments;
		this.configMaps = configMaps;
		this.secrets = secrets;
	}

	@Reconcile
	void reconcile(V1Deployment deployment, Reconciliation<V1Deployment> run) throws ApiException {
		V1PodTemplateSpec template = deployment.getSpec().getTemplate();
		String hash = hashOf(deployment.getMetadata().getNamespace(), ConfigReferences.of(template.getSpec()));
		if (!hash.equals(hashIn(template.getMetadata()))) {
			run.patch(deployment, PatchFormat.MERGE, """
					{"spec": {"template": {"metadata": {"annotations": {"%s": "%s"}}}}}""".formatted(HASH, hash));
			run.event("ConfigChanged", "The pods are replaced, because their ConfigMaps or Secrets changed");
		}
	}

	@Watches
	Stream<ObjectKey> usersOf(V1ConfigMap configMap) {
		return users("ConfigMap", configMap.getMetadata());
	}

	@Watches
	Stream<ObjectKey> usersOf(V1Secret secret) {
		return users("Secret", secret.getMetadata());
	}

	private Stream<ObjectKey> users(String kind, V1ObjectMeta config) {
		String key = ConfigIndex.key(config.getNamespace(), kind, config.getName());
		return this.deployments.snapshot().byIndex(ConfigIndex.NAME, key).stream().map(ObjectKey::of);
	}

	private static String hashIn(V1ObjectMeta template) {
		return (template != null && template.getAnnotations() != null) ? template.getAnnotations().get(HASH) : null;
	}

	/**
	 * Returns the hash of all contents; one that is missing counts, too.
	 */
	private String hashOf(String namespace, ConfigReferences references) {
		List<Object> contents = new ArrayList<>();
		for (String name : references.configMaps()) {
			V1ConfigMap configMap = this.configMaps.namespace(namespace).get(name);
			contents.add(name);
			contents.add((configMap != null) ? sorted(configMap.getData()) : null);
			contents.add((configMap != null) ? sorted(configMap.getBinaryData()) : null);
		}
		for (String name : references.secrets()) {
			V1Secret secret = this.secrets.namespace(namespace).get(name);
			contents.add(name);
			contents.add((secret != null) ? sorted(secret.getData()) : null);
		}
		return sha256(new Gson().toJson(contents));
	}

	private static Map<String, ?> sorted(Map<String, ?> data) {
		return new TreeMap<>((data != null) ? data : Map.of());
	}

	private static String sha256(String text) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
