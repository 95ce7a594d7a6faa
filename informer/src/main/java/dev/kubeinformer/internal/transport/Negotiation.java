package dev.kubeinformer.internal.transport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.MetadataMode;
import dev.kubeinformer.types.WireEncoding;

/**
 * Agreement of an informer and the API server on an encoding: what is asked for, in the
 * order of preference, and what is not asked for, for a day, because it did not work.
 * Shared by all connections of the informer, and safe for use by several threads.
 */
public final class Negotiation {

	private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

	private static final String JSON = "application/json";

	private static final String STREAM = ";stream=watch";

	/** Without them (KEP-5958) less has to be sent. API servers of old do not mind. */
	private static final String WITHOUT_MANAGED_FIELDS = ";drop=metadata.managedFields";

	/** How long something that did not work is not asked for: a proxy may be mended. */
	static final Duration MEMO = Duration.ofHours(24);

	private static final String METADATA = ";g=meta.k8s.io;v=v1";

	private static final String METADATA_OF_OBJECT = ";as=PartialObjectMetadata" + METADATA;

	private static final String METADATA_OF_LIST = ";as=PartialObjectMetadataList" + METADATA;

	private final boolean protobuf;

	private final boolean managedFields;

	/** Whether nothing but the metadata of objects is wanted. */
	private final boolean metadata;

	private final Consumer<String> onFallback;

	private final LongSupplier nanoTime;

	/** Until when protobuf is avoided; {@code null} if it is not. */
	private final AtomicReference<@Nullable Long> avoided = new AtomicReference<>();

	/** Until when only plain JSON is asked for; {@code null} if more is. */
	private final AtomicReference<@Nullable Long> refused = new AtomicReference<>();

	private volatile @Nullable WireEncoding answered;

	private volatile @Nullable MetadataMode metadataMode;

	/** Whether it was reported that whole objects come. */
	private final AtomicBoolean whole = new AtomicBoolean();

	/**
	 * Creates a negotiation.
	 * @param protobuf whether protobuf is preferred
	 * @param wanted what is wanted of objects
	 * @param onFallback receives, in words for people, what is not asked for, for a day
	 * @param nanoTime the time that only grows
	 */
	public Negotiation(boolean protobuf, Wanted wanted, Consumer<String> onFallback, LongSupplier nanoTime) {
		this.protobuf = protobuf;
		this.managedFields = wanted.managedFields();
		this.metadata = wanted.metadata();
		this.onFallback = onFallback;
		this.nanoTime = nanoTime;
	}

	public Negotiation(boolean protobuf, boolean managedFields, Consumer<String> onFallback) {
		this(protobuf, new Wanted(false, managedFields), onFallback, System::nanoTime);
	}

	/**
	 * Returns what is accepted.
	 * @param watch whether it is for a watch
	 * @return the value of the header
	 */
	String accept(boolean watch) {
		if (isRemembered(this.refused)) {
			return JSON;
		}
		String parameters = (watch ? STREAM : "") + form(watch) + (this.managedFields ? "" : WITHOUT_MANAGED_FIELDS);
		List<String> accepted = new ArrayList<>();
		if (this.protobuf && !isRemembered(this.avoided)) {
			accepted.add(PROTOBUF + parameters);
		}
		if (!parameters.isEmpty()) {
			accepted.add(JSON + parameters);
		}
		// For servers and proxies that compare it letter by letter.
		accepted.add(JSON);
		return String.join(",", accepted);
	}

	private String form(boolean watch) {
		if (!this.metadata) {
			return "";
		}
		return watch ? METADATA_OF_OBJECT : METADATA_OF_LIST;
	}

	/**
	 * Notes in which form the metadata of objects came, where only that is wanted.
	 * @param mode the form
	 */
	void answered(MetadataMode mode) {
		MetadataMode before = this.metadataMode;
		this.metadataMode = mode;
		if (mode == MetadataMode.CLIENT && before != mode && this.whole.compareAndSet(false, true)) {
			this.onFallback.accept("the API server, or a proxy, sends whole objects where their metadata is asked for, "
					+ "and the rest of them is passed over");
		}
	}

	/**
	 * Returns in which form the metadata of objects came last.
	 * @return the form; {@code null} before the first answer, and where whole objects are
	 * wanted
	 */
	public @Nullable MetadataMode metadataMode() {
		return this.metadataMode;
	}

	/**
	 * Returns whether the body of an answer is protobuf, as the server says.
	 * @param contentType the header; {@code null} if there is none
	 * @return whether it is
	 */
	static boolean isProtobuf(@Nullable String contentType) {
		if (contentType == null) {
			return false;
		}
		String mediaType = contentType.split(";", 2)[0].strip();
		return mediaType.equalsIgnoreCase(PROTOBUF);
	}

	void answered(WireEncoding encoding) {
		this.answered = encoding;
	}

	/**
	 * Notes that the server, or a proxy, accepts nothing of what was asked for.
	 * @param accept what was asked for
	 * @param status the HTTP status
	 * @return whether there is something else to ask for
	 */
	boolean refused(String accept, int status) {
		if (accept.equals(JSON)) {
			return false;
		}
		if (remember(this.refused)) {
			this.onFallback
				.accept("the API server, or a proxy, does not accept '%s' (HTTP %d); JSON is asked for from now on"
					.formatted(accept, status));
		}
		return true;
	}

	/**
	 * Does not ask for protobuf for a while: what came of it could not be read.
	 */
	void avoidProtobuf() {
		undecodable("answers in protobuf were malformed again and again, as by a broken proxy");
	}

	/**
	 * Does not ask for protobuf for a while: it cannot be decoded here.
	 * @param why what is missing, in words for people
	 */
	void undecodable(String why) {
		if (this.protobuf && remember(this.avoided) && !isRemembered(this.refused)) {
			this.onFallback.accept(why + "; JSON is asked for from now on");
		}
	}

	private boolean isRemembered(AtomicReference<@Nullable Long> downgrade) {
		Long until = downgrade.get();
		return until != null && this.nanoTime.getAsLong() - until < 0;
	}

	/**
	 * Remembers a downgrade.
	 * @param downgrade until when
	 * @return whether it was not remembered already
	 */
	private boolean remember(AtomicReference<@Nullable Long> downgrade) {
		long now = this.nanoTime.getAsLong();
		Long before = downgrade
			.getAndUpdate((until) -> (until != null && now - until < 0) ? until : Long.valueOf(now + MEMO.toNanos()));
		return before == null || now - before >= 0;
	}

	/**
	 * Returns the encoding of the last answer.
	 * @return the encoding; {@code null} before the first answer
	 */
	public @Nullable WireEncoding encoding() {
		return this.answered;
	}

	/**
	 * What is wanted of objects.
	 *
	 * @param metadata whether nothing but their metadata is
	 * @param managedFields whether {@code metadata.managedFields} are
	 */
	public record Wanted(boolean metadata, boolean managedFields) {

	}

}
