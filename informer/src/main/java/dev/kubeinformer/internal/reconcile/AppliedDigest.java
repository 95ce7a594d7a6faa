package dev.kubeinformer.internal.reconcile;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.codec.model.ContentHash;
import dev.kubeinformer.internal.reconcile.FieldTakeover.Before;

/**
 * Writes the bodies of server-side applies, with an annotation that identifies their
 * content. If an object in the cache has the same annotation, the same body was already
 * applied to it. The annotation consists of a mark of the field manager and a digest of
 * the body. Safe for use by several threads.
 */
public final class AppliedDigest {

	/**
	 * Version of the digest. It changes if bodies are written in another form, or if
	 * their digest is computed in another way.
	 */
	private static final String VERSION = "1";

	/**
	 * Placeholder that is replaced by the digest. It has the same length, but is never
	 * equal to a digest.
	 */
	private static final String BLANK = "......................";

	private static final int MARK = 4;

	private static final int FORMER_MARK = 2;

	private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

	private final ModelJson json;

	private final byte[] salt;

	/**
	 * Digest to copy, which saves looking up the algorithm for each body. It is never
	 * updated, so several threads may copy it: a PKCS#11 digest in use holds a session.
	 */
	private final MessageDigest unused = sha256();

	/** Beginning of the field manager's annotations. */
	private final String mark;

	/**
	 * Mark, followed by a digest of the names of the former field managers whose fields
	 * were taken over.
	 */
	private final String takenOver;

	/** Text of the annotation in a body, from its beginning to the placeholder. */
	private final byte[] beginning;

	/**
	 * Creates an instance for a field manager.
	 * @param json writes the bodies
	 * @param fieldManager the field manager
	 * @param former the field managers whose fields are taken over; if they change, each
	 * object is applied once more
	 */
	AppliedDigest(ModelJson json, String fieldManager, Collection<String> former) {
		this.json = json;
		String taken = String.join(" ", new TreeSet<>(former));
		this.salt = (VERSION + " " + fieldManager + " " + taken).getBytes(StandardCharsets.UTF_8);
		this.mark = mark(fieldManager, MARK);
		this.takenOver = this.mark + mark(taken, FORMER_MARK);
		this.beginning = ("\"" + ReconcilerSpec.APPLIED_ANNOTATION + "\":\"" + this.takenOver)
			.getBytes(StandardCharsets.US_ASCII);
	}

	private static String mark(String text, int length) {
		return BASE64.encodeToString(sha256().digest(text.getBytes(StandardCharsets.UTF_8))).substring(0, length);
	}

	/**
	 * Writes a body.
	 * @param tree the object, which this method changes
	 * @param annotated whether the body gets the annotation
	 * @return the body
	 */
	AppliedBody write(Map<String, @Nullable Object> tree, boolean annotated) {
		Map<String, @Nullable Object> metadata = child(tree, "metadata");
		if (annotated) {
			child(metadata, "annotations").put(ReconcilerSpec.APPLIED_ANNOTATION, this.takenOver + BLANK);
		}
		else {
			removeFrom(metadata);
		}
		byte[] body = this.json.write(tree);
		MessageDigest sha256 = copy();
		sha256.update(this.salt);
		byte[] digest = Arrays.copyOf(sha256.digest(body), 16);
		String value = null;
		if (annotated) {
			value = this.takenOver + BASE64.encodeToString(digest);
			insert(body, value);
		}
		ByteBuffer words = ByteBuffer.wrap(digest);
		return new AppliedBody(body, metadata, new ContentHash(words.getLong(), words.getLong()), value);
	}

	/**
	 * Removes the annotation of an object that was copied from a cached one.
	 * @param tree the object
	 */
	@SuppressWarnings("unchecked") // The keys of JSON objects are strings.
	static void remove(Map<String, @Nullable Object> tree) {
		if (tree.get("metadata") instanceof Map<?, ?> metadata) {
			removeFrom((Map<String, @Nullable Object>) metadata);
		}
	}

	private static void removeFrom(Map<String, @Nullable Object> metadata) {
		if (metadata.get("annotations") instanceof Map<?, ?> annotations
				&& annotations.remove(ReconcilerSpec.APPLIED_ANNOTATION) != null && annotations.isEmpty()) {
			metadata.remove("annotations");
		}
	}

	// Looks at every n-th byte only, where n is the length of the placeholder: one of
	// these bytes is always in the placeholder. The text before the placeholder occurs
	// only once, because quotes within texts are escaped.
	private void insert(byte[] body, String value) {
		for (int at = BLANK.length(); at < body.length; at += BLANK.length()) {
			int dots = at;
			while (body[dots] == '.' && body[dots - 1] == '.') {
				dots--;
			}
			int start = dots - this.beginning.length;
			if (body[at] == '.' && start >= 0
					&& Arrays.equals(body, start, dots, this.beginning, 0, this.beginning.length)) {
				byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
				System.arraycopy(bytes, this.takenOver.length(), body, dots, BLANK.length());
				return;
			}
		}
		throw new IllegalStateException("The body has no annotation '%s'".formatted(ReconcilerSpec.APPLIED_ANNOTATION));
	}

	@SuppressWarnings("unchecked") // The names in a tree are strings.
	private static Map<String, @Nullable Object> child(Map<String, @Nullable Object> parent, String name) {
		if (parent.get(name) instanceof Map<?, ?> present) {
			return (Map<String, @Nullable Object>) present;
		}
		Map<String, @Nullable Object> child = new LinkedHashMap<>();
		parent.put(name, child);
		return child;
	}

	/**
	 * Returns whether another field manager has written the annotation of an object.
	 * @param there the object
	 * @return {@code true} if another field manager wrote it
	 */
	boolean isForeign(KubernetesObject there) {
		String value = value(there);
		return value != null && !value.startsWith(this.mark);
	}

	/**
	 * Reads the annotation with which earlier applies marked an object.
	 * @param there the object; {@code null} if there is none
	 * @return the state of earlier applies according to the annotation
	 */
	Before before(@Nullable KubernetesObject there) {
		String value = (there != null) ? value(there) : null;
		if (value == null || !value.startsWith(this.mark)) {
			return Before.NOT_APPLIED;
		}
		return value.startsWith(this.takenOver) ? Before.TAKEN_OVER : Before.APPLIED;
	}

	private static @Nullable String value(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		Map<String, String> annotations = (metadata != null) ? metadata.getAnnotations() : null;
		return (annotations != null) ? annotations.get(ReconcilerSpec.APPLIED_ANNOTATION) : null;
	}

	private MessageDigest copy() {
		try {
			return (MessageDigest) this.unused.clone();
		}
		catch (CloneNotSupportedException ex) {
			// A security provider need not support copies.
			return sha256();
		}
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	/**
	 * Body of an apply.
	 *
	 * @param bytes the content to send
	 * @param metadata the tree of its metadata
	 * @param hash its digest
	 * @param annotation the value of the annotation; {@code null} without one
	 */
	record AppliedBody(byte[] bytes, Map<String, @Nullable Object> metadata, ContentHash hash,
			@Nullable String annotation) {

		/**
		 * Returns whether the annotation of an object says that the same fields were
		 * applied to it.
		 * @param there the object
		 * @return {@code true} if it has the annotation of this body
		 */
		boolean isThatOf(KubernetesObject there) {
			return this.annotation != null && this.annotation.equals(value(there));
		}

	}

}
