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
 * Negotiation of the encoding between an informer and the API server. Knows the accepted
 * encodings in the order of preference. An encoding that did not work is avoided for a
 * day. All connections of the informer share one negotiation. Safe for use by several
 * threads.
 */
public final class Negotiation {

	private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

	private static final String JSON = "application/json";

	private static final String STREAM = ";stream=watch";

	/**
	 * Parameter of a media type that asks for objects without managed fields (KEP-5958),
	 * so that responses are smaller. Older API servers ignore it.
	 */
	private static final String WITHOUT_MANAGED_FIELDS = ";drop=metadata.managedFields";

	/**
	 * Time for which an encoding that did not work is avoided; a proxy may be repaired
	 * meanwhile.
	 */
	static final Duration MEMO = Duration.ofHours(24);

	private static final String METADATA = ";g=meta.k8s.io;v=v1";

	private static final String METADATA_OF_OBJECT = ";as=PartialObjectMetadata" + METADATA;

	private static final String METADATA_OF_LIST = ";as=PartialObjectMetadataList" + METADATA;

	private final boolean protobuf;

	private final boolean managedFields;

	/** Whether only the metadata of objects is requested. */
	private final boolean metadata;

	private final Consumer<String> onFallback;

	private final LongSupplier nanoTime;

	/**
	 * Time until which protobuf is not requested; {@code null} if it may be requested.
	 */
	private final AtomicReference<@Nullable Long> avoided = new AtomicReference<>();

	/**
	 * Time until which only plain JSON is requested; {@code null} if other encodings may
	 * be requested, too.
	 */
	private final AtomicReference<@Nullable Long> refused = new AtomicReference<>();

	private volatile @Nullable WireEncoding answered;

	private volatile @Nullable MetadataMode metadataMode;

	/**
	 * Whether {@code onFallback} was notified that the server sends complete objects
	 * instead of metadata.
	 */
	private final AtomicBoolean whole = new AtomicBoolean();

	/**
	 * Creates a negotiation.
	 * @param protobuf whether protobuf is preferred
	 * @param wanted the requested parts of objects
	 * @param onFallback receives a message for each encoding that is avoided from now on
	 * @param nanoTime the monotonic clock
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
	 * Returns the accepted media types.
	 * @param watch whether the request is a watch
	 * @return the value of the header {@code Accept}
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
		// Plain JSON is for servers and proxies that compare media types as strings.
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
	 * Notes in which form the metadata arrived after a request for metadata only.
	 * @param mode the form
	 */
	void answered(MetadataMode mode) {
		MetadataMode before = this.metadataMode;
		this.metadataMode = mode;
		if (mode == MetadataMode.CLIENT && before != mode && this.whole.compareAndSet(false, true)) {
			this.onFallback.accept("the API server, or a proxy, sends whole objects instead of their metadata, "
					+ "and the rest of them is skipped");
		}
	}

	/**
	 * Returns the form of metadata in the last response.
	 * @return the form; {@code null} before the first response, or if complete objects
	 * are requested
	 */
	public @Nullable MetadataMode metadataMode() {
		return this.metadataMode;
	}

	/**
	 * Returns whether the server says that the body of a response is protobuf.
	 * @param contentType the header; {@code null} if there is none
	 * @return {@code true} if the media type is protobuf
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
	 * Notes a response that says that the server, or a proxy, supports none of the
	 * accepted media types.
	 * @param accept the value of the header {@code Accept}
	 * @param status the HTTP status
	 * @return {@code true} if another encoding can be requested
	 */
	boolean refused(String accept, int status) {
		if (accept.equals(JSON)) {
			return false;
		}
		if (remember(this.refused)) {
			this.onFallback
				.accept("the API server, or a proxy, does not accept '%s' (HTTP %d); requesting JSON from now on"
					.formatted(accept, status));
		}
		return true;
	}

	/** Stops requesting protobuf for a day, because a response could not be read. */
	void avoidProtobuf() {
		undecodable("protobuf responses were malformed repeatedly; a proxy may be broken");
	}

	/**
	 * Stops requesting protobuf for a day, because classes for decoding it are missing on
	 * the class path.
	 * @param why the missing classes, as text
	 */
	void undecodable(String why) {
		if (this.protobuf && remember(this.avoided) && !isRemembered(this.refused)) {
			this.onFallback.accept(why + "; requesting JSON from now on");
		}
	}

	private boolean isRemembered(AtomicReference<@Nullable Long> downgrade) {
		Long until = downgrade.get();
		return until != null && this.nanoTime.getAsLong() - until < 0;
	}

	/**
	 * Remembers for a day that an encoding did not work.
	 * @param downgrade the field that holds the end of that day
	 * @return {@code true} if the failure was not remembered already
	 */
	private boolean remember(AtomicReference<@Nullable Long> downgrade) {
		long now = this.nanoTime.getAsLong();
		Long before = downgrade
			.getAndUpdate((until) -> (until != null && now - until < 0) ? until : Long.valueOf(now + MEMO.toNanos()));
		return before == null || now - before >= 0;
	}

	/**
	 * Returns the encoding of the last response.
	 * @return the encoding; {@code null} before the first response
	 */
	public @Nullable WireEncoding encoding() {
		return this.answered;
	}

	/**
	 * Requested parts of objects.
	 *
	 * @param metadata whether only metadata is requested
	 * @param managedFields whether {@code metadata.managedFields} is requested
	 */
	public record Wanted(boolean metadata, boolean managedFields) {

	}

}
