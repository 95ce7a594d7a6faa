package dev.kubeinformer.internal.failure;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.StatusCause;
import dev.kubeinformer.internal.text.PrintableText;

/**
 * Description of a rejected write: everything that explains the rejection, but no value
 * of the object. The rules are pure functions of the {@code Status} object.
 *
 * @param reason the reason; empty if there is none
 * @param refusedBy the webhook or policy that rejected the write; empty if none did
 * @param fields the rejected fields
 * @param text the message of the API server without values; empty if nothing remains
 * @param shortened {@code true} if parts of the message were omitted, because these parts
 * may quote the object
 * @param rejected {@code true} if the content of the object was rejected
 */
public record Refusal(String reason, String refusedBy, List<String> fields, String text, boolean shortened,
		boolean rejected) {

	private static final int LONGEST_MESSAGE = 1_000;

	private static final int MOST_FIELDS = 5;

	/**
	 * Format of a reason in a {@code Status}. Webhooks that use old libraries send a
	 * sentence instead.
	 */
	private static final Pattern REASON = Pattern.compile("[A-Z][A-Za-z]{0,63}");

	/** Format of names of webhooks and policies, which are DNS names. */
	private static final Pattern ADMISSION = Pattern
		.compile("(?:admission webhook \"(?<webhook>[^\"]{1,253})\" denied the request"
				+ "|failed calling webhook \"(?<broken>[^\"]{1,253})\""
				+ "|(?:Validating|Mutating)AdmissionPolicy '(?<policy>[^']{1,253})'"
				+ "(?: with binding '[^']{1,253}')?(?: denied request)?)");

	/** Reason why a webhook could not be called, in the words of Go's network library. */
	private static final Pattern UNREACHABLE = Pattern
		.compile(": failed to call webhook: (?:Post \"https?://[^\"]{1,1000}\": )?[^\"'{}\\[\\]]{1,300}");

	/**
	 * Messages about bodies that do not match the schema, and about errors in the server
	 * itself.
	 */
	private static final Pattern SCHEMA = Pattern.compile("^(?:failed to create typed |failed to convert new object "
			+ "|failed to create manager |error decoding |unable to decode |strict decoding error"
			+ "|.{1,300} cannot be handled as a )");

	private static final Pattern OWN_ERROR = Pattern
		.compile("^(?:Internal error occurred: )?(?:etcdserver: |conversion webhook for .{1,300} failed: Post \")");

	private static final Pattern SCHEMA_FIELD = Pattern
		.compile("(?:: \\.([^:\\s]{1,300}): |Go struct field [^.\\s]{1,100}\\.(\\S{1,300}) )");

	private static final Pattern LACKING_RIGHT = Pattern.compile("cannot [a-z]+ (?:resource|path) \"");

	/**
	 * Kinds of field errors in k8s.io/apimachinery, {@code ErrorType} in
	 * util/validation/field.
	 */
	private static final Pattern FIELD_ERROR = Pattern
		.compile("(?:Not found|(?:Required|Duplicate|Invalid|Unsupported) "
				+ "value|Forbidden|Too (?:long|many|few)|Internal error)(?=:|$)");

	private static final Pattern HARMLESS_DETAIL = Pattern
		.compile(":?[A-Za-z ,.`'-]*(?:immutable|Required)[A-Za-z ,.`'-]*");

	/**
	 * Describes a rejected write.
	 * @param status the status from the server
	 * @param causes the causes
	 * @param secret {@code true} if the object is a Secret, about which no free text may
	 * be quoted
	 * @return the description
	 */
	public static Refusal of(ApiStatus status, List<StatusCause> causes, boolean secret) {
		String message = status.message();
		Matcher admission = ADMISSION.matcher(message);
		if (admission.find()) {
			return ofAdmission(status, causes, admission, secret);
		}
		List<String> fields = fields(causes);
		if (!fields.isEmpty() && isAboutContent(status)) {
			String errors = fieldErrors(causes, secret);
			return create(status, "", fields, errors, isShortened(causes, secret), true);
		}
		if (status.code() == 400 || status.code() == 500) {
			return ofBody(status, secret);
		}
		if (status.code() == 422) {
			boolean quotes = !secret || ProblemClassifier.isPatchThatDoesNotFit(status);
			return create(status, "", List.of(), quotes ? MaskedText.ofQuoted(message) : "", false, true);
		}
		boolean hidden = secret && status.code() == 403 && !isMissingRight(status) && !isTerminating(status);
		return create(status, "", List.of(), hidden ? "" : message, hidden, false);
	}

	private static Refusal ofAdmission(ApiStatus status, List<StatusCause> causes, Matcher found, boolean secret) {
		String message = status.message();
		String policy = found.group("policy");
		String by = (policy != null) ? "policy '%s'".formatted(policy)
				: "webhook '%s'".formatted(Objects.requireNonNullElse(found.group("webhook"), found.group("broken")));
		String text = MaskedText.ofFreeText(message);
		if (secret) {
			Matcher tail = UNREACHABLE.matcher(message).region(found.end(), message.length());
			text = message.substring(found.start(), tail.matches() ? tail.end() : found.end());
		}
		List<String> fields = fields(causes);
		if (!fields.isEmpty()) {
			text = text + " (" + fieldErrors(causes, secret) + ")";
		}
		boolean whole = text.equals(message) || (secret && text.equals(message.substring(found.start())));
		return create(status, by, fields, text, !whole, true);
	}

	private static Refusal ofBody(ApiStatus status, boolean secret) {
		String message = status.message();
		boolean schema = SCHEMA.matcher(message).find();
		boolean known = schema || OWN_ERROR.matcher(message).find();
		boolean shown = known || (status.code() == 400 && !secret);
		if (!shown) {
			return create(status, "", List.of(), "", !message.isEmpty(), status.code() == 400);
		}
		String text = MaskedText.ofQuoted(message);
		if (secret) {
			text = withoutLetters(text);
		}
		Matcher field = SCHEMA_FIELD.matcher(text);
		List<String> fields = field.find() ? List.of(Objects.requireNonNullElse(field.group(1), field.group(2)))
				: List.of();
		return create(status, "", fields, text, !text.equals(message), schema || status.code() == 400);
	}

	private static Refusal create(ApiStatus status, String by, List<String> fields, String text, boolean shortened,
			boolean rejected) {
		return new Refusal(reason(status), PrintableText.of(by),
				fields.stream().limit(MOST_FIELDS).map(PrintableText::of).toList(),
				PrintableText.of(text.replaceAll("\\s+", " ").strip(), LONGEST_MESSAGE),
				shortened || text.length() > LONGEST_MESSAGE, rejected);
	}

	/**
	 * Returns the reason of a {@code Status} object, if it can be shown.
	 * @param status the status from the server
	 * @return the reason; empty if there is none, or if it is not a single word and so
	 * may quote the object
	 */
	static String reason(ApiStatus status) {
		return REASON.matcher(status.reason()).matches() ? status.reason() : "";
	}

	private static boolean isAboutContent(ApiStatus status) {
		return switch (ProblemClassifier.of(status)) {
			case INVALID, BAD_REQUEST, SERVER_ERROR, INVALID_VERSION -> true;
			default -> false;
		};
	}

	private static List<String> fields(List<StatusCause> causes) {
		return causes.stream().map(StatusCause::field).filter(Refusal::isField).distinct().toList();
	}

	private static boolean isField(String field) {
		// Go prints this for a missing path.
		return !field.isEmpty() && !field.equals("<nil>");
	}

	private static String fieldErrors(List<StatusCause> causes, boolean secret) {
		List<String> errors = new ArrayList<>(causes.stream()
			.filter((cause) -> isField(cause.field()))
			.map((cause) -> fieldError(cause, secret).isEmpty() ? cause.field()
					: "%s: %s".formatted(cause.field(), fieldError(cause, secret)))
			.distinct()
			.toList());
		int more = errors.size() - MOST_FIELDS;
		return errors.stream().limit(MOST_FIELDS).collect(Collectors.joining("; "))
				+ ((more > 0) ? " and %d more".formatted(more) : "");
	}

	private static boolean isShortened(List<StatusCause> causes, boolean secret) {
		return causes.stream()
			.anyMatch((cause) -> isField(cause.field()) && !fieldError(cause, secret).equals(cause.message()));
	}

	private static String fieldError(StatusCause cause, boolean secret) {
		String text = MaskedText.ofFieldError(cause.message());
		Matcher kind = FIELD_ERROR.matcher(text);
		if (!kind.lookingAt()) {
			return "";
		}
		boolean shown = !secret || HARMLESS_DETAIL.matcher(text.substring(kind.end())).matches();
		return shown ? text : kind.group();
	}

	/**
	 * Returns whether an RBAC rule is missing ({@code forbiddenMessage} in
	 * responsewriters/errors.go of k8s.io/apiserver). The HTTP status 403 is not
	 * sufficient, because rejections by admission have it, too.
	 * @param status the status from the server
	 * @return {@code true} if the user lacks the permission
	 */
	static boolean isMissingRight(@Nullable ApiStatus status) {
		return status != null && status.code() == 403 && LACKING_RIGHT.matcher(status.message()).find();
	}

	/**
	 * Returns whether the namespace is being deleted, so that no object can be created in
	 * it.
	 * @param status the status from the server
	 * @return {@code true} if the namespace is being deleted
	 */
	static boolean isTerminating(@Nullable ApiStatus status) {
		return status != null && status.code() == 403 && (status.causes().contains("NamespaceTerminating")
				|| status.message().endsWith("because it is being terminated"));
	}

	// A parser quotes the character at which it failed.
	private static String withoutLetters(String text) {
		return text.replaceAll("'[^']*'", "'…'");
	}

	/**
	 * Returns the description as a text for people.
	 * @param code the HTTP status
	 * @param secret {@code true} if the object is a Secret
	 * @return the status, the reason and the message of the server
	 */
	public String describe(int code, boolean secret) {
		String said = this.text.isEmpty() ? this.reason
				: (this.reason.isEmpty() ? this.text : this.reason + ": " + this.text);
		return "HTTP %d %s".formatted(code, said).strip() + (this.shortened ? hint(secret) : "");
	}

	private String hint(boolean secret) {
		if (secret) {
			return " (text that may quote the Secret is omitted)";
		}
		return this.text.isEmpty() ? " (its message may quote the object and is logged at debug level only)"
				: " (values are left out; the whole message is logged at debug level)";
	}

}
