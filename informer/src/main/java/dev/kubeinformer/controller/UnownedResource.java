package dev.kubeinformer.controller;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Resource whose objects a reconciler writes although its primaries cannot own them. An
 * owner is cluster-scoped or in the namespace of its objects, so a namespaced primary can
 * own neither a {@code ClusterRole} nor an object in another namespace. Garbage
 * collection does not delete such objects. They are found by labels instead, and the
 * reconciler deletes them before the finalizer of the primary is removed.
 * <p>
 * This also works after a crash, a restart or a change of the leader, because everything
 * that it needs is in the cluster: the labels are written together with the object, and
 * the finalizer exists before the first run. The objects to delete are listed from the
 * API server, because a cache may not show the latest write.
 *
 * @param <C> the model class
 * @param type the resource
 * @param namespaces the namespaces of the objects; empty for the reconciler's namespaces
 * @see Reconciliation#applyUnowned(KubernetesObject)
 */
public record UnownedResource<C extends KubernetesObject>(ResourceType<C> type, Set<String> namespaces) {

	/** Label of an unowned object with the UID of its primary. */
	public static final String PRIMARY_UID_LABEL = "kubeinformer.dev/primary-uid";

	/** Label of an unowned object with the id of the reconciler that wrote it. */
	public static final String RECONCILER_LABEL = "kubeinformer.dev/reconciler";

	/** Annotation of an unowned object with the namespace and the name of its primary. */
	public static final String PRIMARY_ANNOTATION = "kubeinformer.dev/primary";

	private static final Pattern LABEL_VALUE = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

	private static final int HASH_LENGTH = 32;

	/**
	 * Creates the resource.
	 */
	public UnownedResource {
		if (type.isDynamic() || type.isMetadata()) {
			throw new IllegalArgumentException(
					"Objects of '%s' cannot be applied without a class; write a class with @KubernetesResource for it"
						.formatted(type));
		}
		namespaces = Set.copyOf(namespaces);
	}

	/**
	 * Returns the resource of a class.
	 * @param <C> the model class
	 * @param objectClass the model class
	 * @param namespaces the namespaces of the objects; none for the reconciler's
	 * namespaces
	 * @return the resource
	 */
	public static <C extends KubernetesObject> UnownedResource<C> of(Class<C> objectClass, String... namespaces) {
		return new UnownedResource<>(ResourceType.of(objectClass), Set.of(namespaces));
	}

	/**
	 * Returns the label value that stands for a reconciler.
	 * @param id the id of the reconciler
	 * @return the id, or its hash if it is not a valid label value
	 */
	public static String labelValue(String id) {
		if (LABEL_VALUE.matcher(id).matches()) {
			return id;
		}
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(hash).substring(0, HASH_LENGTH);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	/**
	 * Returns the label selector of the objects that a reconciler wrote for a primary.
	 * @param id the id of the reconciler
	 * @param primaryUid the UID of the primary
	 * @return the selector
	 */
	public static String selector(String id, String primaryUid) {
		return "%s=%s,%s=%s".formatted(RECONCILER_LABEL, labelValue(id), PRIMARY_UID_LABEL, primaryUid);
	}

	/**
	 * Returns the source that contains the objects. Their changes cause runs of their
	 * primaries.
	 * @param id the id of the reconciler
	 * @return the source
	 */
	WatchedResource<C> source(String id) {
		return new WatchedResource<>(this.type, this.namespaces, RECONCILER_LABEL + "=" + labelValue(id), null,
				(object) -> primary(object));
	}

	private static Stream<ObjectKey> primary(KubernetesObject object) {
		V1ObjectMeta metadata = Objects.requireNonNullElseGet(object.getMetadata(), V1ObjectMeta::new);
		String primary = Objects.requireNonNullElse(metadata.getAnnotations(), Map.<String, String>of())
			.get(PRIMARY_ANNOTATION);
		if (primary == null || primary.isEmpty()) {
			return Stream.empty();
		}
		int slash = primary.indexOf('/');
		return Stream.of((slash < 0) ? new ObjectKey("", primary)
				: new ObjectKey(primary.substring(0, slash), primary.substring(slash + 1)));
	}

}
