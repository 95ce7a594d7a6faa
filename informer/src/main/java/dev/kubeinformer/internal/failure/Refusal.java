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
 * What is said about a refused write: all that tells why, and no value of the object. The
 * rules are pure functions of the {@code Status} object.
 *
 * @param reason the reason; empty if there is none
 * @param refusedBy the webhook or policy that refuses it; empty if it is none
 * @param fields the fields that are refused
 * @param text what the API server said, without values; empty if that is nothing
 * @param shortened whether the API server said more, which may quote the object
 * @param rejected whether it refuses what the object holds
 */
public record Refusal(String reason, String refusedBy, List<String> fields, String text, boolean shortened,
		boolean rejected) {

	private static final int LONGEST_MESSAGE = 1_000;

	private static final int MOST_FIELDS = 5;

	/**
	 * Reasons of the API are words. Webhooks of old libraries fill theirs with a
	 * sentence.
	 */
	private static final Pattern REASON = Pattern.compile("[A-Z][A-Za-z]{0,63}");

	/** Names of webhooks and policies are names of DNS. */
	private static final Pattern ADMISSION = Pattern
		.compile("(?:admission webhook \"(?<webhook>[^\"]{1,253})\" denied the request"
				+ "|failed calling webhook \"(?<broken>[^\"]{1,253})\""
				+ "|(?:Validating|Mutating)AdmissionPolicy '(?<policy>[^']{1,253})'"
				+ "(?: with binding '[^']{1,253}')?(?: denied request)?)");

	/** How it could not be called, in words of Go's network library. */
	private static final Pattern UNREACHABLE = Pattern
		.compile(": failed to call webhook: (?:Post \"https?://[^\"]{1,1000}\": )?[^\"'{}\\[\\]]{1,300}");

	/** Bodies that do not fit the schema, and what the server itself met. */
	private static final Pattern SCHEMA = Pattern.compile("^(?:failed to create typed |failed to convert new object "
			+ "|failed to create manager |error decoding |unable to decode |strict decoding error"
			+ "|.{1,300} cannot be handled as a )");

	private static final Pattern OWN_ERROR = Pattern
		.compile("^(?:Internal error occurred: )?(?:etcdserver: |conversion webhook for .{1,300} failed: Post \")");

	private static final Pattern SCHEMA_FIELD = Pattern
		.compile("(?:: \\.([^:\\s]{1,300}): |Go struct field [^.\\s]{1,100}\\.(\\S{1,300}) )");

	private static final Pattern LACKING_RIGHT = Pattern.compile("cannot [a-z]+ (?:resource|path) \"");

	/** Kinds of k8s.io/apimachinery, {@code ErrorType} in util/validation/field. */
	private static final Pattern FIELD_ERROR = Pattern
		.compile("(?:Not found|(?:Required|Duplicate|Invalid|Unsupported) "
				+ "value|Forbidden|Too (?:long|many|few)|Internal error)(?=:|$)");

	private static final Pattern HARMLESS_DETAIL = Pattern
		.compile(":?[A-Za-z ,.`'-]*(?:immutable|Required)[A-Za-z ,.`'-]*");

	/**
	 * Returns what is said about a refusal.
	 * @param status what the server said
	 * @param causes the causes
	 * @param secret whether the object is a Secret, of which nothing may be quoted that
	 * others say about it
	 * @return the refusal
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
	 * Returns the reason of a {@code Status} object as it may be shown.
	 * @param status what the server said
	 * @return the reason; empty if there is none, or one that is no word of the API: it
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
		// What Go calls a path to nowhere.
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
	 * Returns whether a rule of RBAC is missing ({@code forbiddenMessage} in
	 * responsewriters/errors.go of k8s.io/apiserver): admission answers with HTTP 403 as
	 * well.
	 * @param status what the server said
	 * @return {@code true} if the user lacks the right
	 */
	static boolean isMissingRight(@Nullable ApiStatus status) {
		return status != null && status.code() == 403 && LACKING_RIGHT.matcher(status.message()).find();
	}

	/**
	 * Returns whether the namespace is being deleted, in which nothing can be created any
	 * more.
	 * @param status what the server said
	 * @return {@code true} if it is
	 */
	static boolean isTerminating(@Nullable ApiStatus status) {
		return status != null && status.code() == 403 && (status.causes().contains("NamespaceTerminating")
				|| status.message().endsWith("because it is being terminated"));
	}

	// A parser names the letter at which it gave up.
	private static String withoutLetters(String text) {
		return text.replaceAll("'[^']*'", "'…'");
	}

	/**
	 * Returns a text for people.
	 * @param code the HTTP status
	 * @param secret whether the object is a Secret
	 * @return the status, the reason and what the server said
	 */
	public String describe(int code, boolean secret) {
		String said = this.text.isEmpty() ? this.reason
				: (this.reason.isEmpty() ? this.text : this.reason + ": " + this.text);
		return "HTTP %d %s".formatted(code, said).strip() + (this.shortened ? hint(secret) : "");
	}

	private String hint(boolean secret) {
		if (secret) {
			return " (what may quote the Secret is left out)";
		}
		return this.text.isEmpty() ? " (its message may quote the object and is logged at debug level only)"
				: " (values are left out; the whole message is logged at debug level)";
	}

}
