// An informer on client-go alone, to stand beside those of the JVM: the typed one on pods, in protobuf, or the dynamic
// one on custom objects, which come as JSON. Both drop managedFields by a transform, as our caches do.
//
// It prints what the sync took, or with -control what changes took after it (RESULT), and what it has in the end (STATE),
// and ends.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// After so long without an event no more are expected.
const quiet = 500 * time.Millisecond

func main() {
	kubeconfig := flag.String("kubeconfig", "", "kubeconfig of the cluster")
	objects := flag.Int64("objects", 20000, "objects that it waits for")
	resource := flag.String("resource", "pods", "pods, or a custom resource such as widgets.v1.example.com")
	url := flag.String("control", "", "server of the harness, if changes are to be measured instead")
	rate := flag.Int("rate", 0, "changes a second")
	warmUp := flag.Duration("warm-up", 0, "how long changes come before they are measured")
	window := flag.Duration("window", 0, "how long they are measured")
	flag.Parse()
	if *url != "" {
		control(*url).call("reset")
	}
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	check(err)
	config.QPS = -1
	known := newKnown(*objects)
	known.watching = *url != ""
	informer := run(config, *resource, known)
	<-known.full
	if *url != "" {
		report("RESULT", watch(control(*url), *rate, *warmUp, *window, known))
		report("STATE", map[string]any{"cached": cached(informer), "handled": known.state()})
		return
	}
	wall := time.Since(start)
	used, rss := usage()
	known.awaitQuiet()
	runtime.GC()
	runtime.GC()
	var after runtime.MemStats
	runtime.ReadMemStats(&after)
	report("RESULT", map[string]any{"wall": float64(wall.Microseconds()) / 1e3, "cpu": used,
		"retained": (float64(after.HeapAlloc) - float64(before.HeapAlloc)) / 1e6, "rss": rss})
	report("STATE", map[string]any{"cached": cached(informer), "handled": known.state()})
}

// run starts the informer of a resource.
func run(config *rest.Config, resource string, handler cache.ResourceEventHandler) cache.SharedIndexInformer {
	var informer cache.SharedIndexInformer
	if resource == "pods" {
		config.ContentType = k8sruntime.ContentTypeProtobuf
		config.AcceptContentTypes = k8sruntime.ContentTypeProtobuf + "," + k8sruntime.ContentTypeJSON
		informer = informers.NewSharedInformerFactory(kubernetes.NewForConfigOrDie(config), 0).Core().V1().Pods().Informer()
	} else {
		custom, _ := schema.ParseResourceArg(resource)
		if custom == nil {
			panic("no resource " + resource)
		}
		informer = dynamicinformer.NewDynamicSharedInformerFactory(dynamic.NewForConfigOrDie(config), 0).
			ForResource(*custom).Informer()
	}
	check(informer.SetTransform(stripManagedFields))
	_, err := informer.AddEventHandler(handler)
	check(err)
	go informer.Run(context.Background().Done())
	return informer
}

// As our caches do, and as is recommended to all who do not read them.
func stripManagedFields(object any) (any, error) {
	if accessor, err := meta.Accessor(object); err == nil {
		accessor.SetManagedFields(nil)
	}
	return object, nil
}

// known is what a handler knows by what it was given.
type known struct {
	wanted   int64
	watching bool
	full     chan struct{}
	objects  atomic.Int64
	digest   atomic.Uint64
	events   atomic.Int64
	latencies
}

func newKnown(wanted int64) *known {
	k := &known{wanted: wanted, full: make(chan struct{})}
	if wanted == 0 {
		close(k.full)
	}
	return k
}

func (k *known) OnAdd(object any, _ bool) {
	k.digest.Add(hash(object))
	k.events.Add(1)
	if k.objects.Add(1) == k.wanted {
		close(k.full)
	}
}

func (k *known) OnUpdate(before, after any) {
	k.digest.Add(hash(after) - hash(before))
	k.events.Add(1)
	if k.watching {
		k.latencies.take(after)
	}
}

func (k *known) OnDelete(object any) {
	if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = gone.Obj
	}
	k.digest.Add(-hash(object))
	k.objects.Add(-1)
	k.events.Add(1)
}

func (k *known) awaitQuiet() {
	for seen := int64(-1); seen != k.events.Load(); {
		seen = k.events.Load()
		time.Sleep(quiet)
	}
}

func (k *known) state() map[string]any {
	return state(k.objects.Load(), k.digest.Load())
}

func cached(informer cache.SharedIndexInformer) map[string]any {
	var digest uint64
	all := informer.GetStore().List()
	for _, object := range all {
		digest += hash(object)
	}
	return state(int64(len(all)), digest)
}

func state(objects int64, digest uint64) map[string]any {
	return map[string]any{"objects": objects, "digest": fmt.Sprintf("%016x", digest)}
}

// hash is the one of the harness: FNV-1a of namespace/name@resourceVersion, then MurmurHash3's finalizer.
func hash(object any) uint64 {
	accessor, err := meta.Accessor(object)
	check(err)
	return hashOf(accessor)
}

func hashOf(object metav1.Object) uint64 {
	h := uint64(0xcbf29ce484222325)
	for _, part := range [...]string{object.GetNamespace(), "/", object.GetName(), "@", object.GetResourceVersion()} {
		for i := 0; i < len(part); i++ {
			h = (h ^ uint64(part[i])) * 0x100000001b3
		}
	}
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// usage is the processor time in seconds, and the most memory that the process had in MB.
func usage() (cpu, rss float64) {
	var used syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	cpu = float64(used.Utime.Sec+used.Stime.Sec) + float64(used.Utime.Usec+used.Stime.Usec)/1e6
	return cpu, peak(float64(used.Maxrss) * 1024 / 1e6)
}

// peak is VmHWM where there is one: Maxrss is at least that of the process that started this one.
func peak(otherwise float64) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return otherwise
	}
	for _, line := range strings.Split(string(status), "\n") {
		var kilobytes float64
		if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kilobytes); n == 1 {
			return kilobytes * 1024 / 1e6
		}
	}
	return otherwise
}

func report(mark string, fields map[string]any) {
	line, err := json.Marshal(fields)
	check(err)
	fmt.Println(mark, string(line))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
